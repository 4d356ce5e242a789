-- Uploaded images, encoded anew.
create table media (
  -- The beginning of the SHA-256 of the bytes, in hexadecimal: 40 digits.
  sha text collate "C" primary key,
  type text not null check (type in ('jpg', 'png', 'webp')),
  width bigint not null,
  height bigint not null,
  size bigint not null,
  created_at timestamptz(3) not null,
  created_by bigint
);

create index media_by_age on media (created_at, sha);

-- The bytes of an image at each width that it is there in, the whole one too.
create table media_forms (
  sha text collate "C" not null,
  width bigint not null,
  bytes bytea not null,
  primary key (sha, width)
);
