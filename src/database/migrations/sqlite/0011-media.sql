-- Uploaded images, encoded anew.
create table media (
  -- The beginning of the SHA-256 of the bytes, in hexadecimal: 40 digits.
  sha text primary key,
  type text not null check (type in ('jpg', 'png', 'webp')),
  width integer not null,
  height integer not null,
  size integer not null,
  created_at integer not null,
  created_by integer
) strict;

create index media_by_age on media (created_at, sha);

-- The bytes of an image at each width that it is there in, the whole one too.
create table media_forms (
  sha text not null,
  width integer not null,
  bytes blob not null,
  primary key (sha, width)
) strict;
