-- Text that is looked up or ordered is collated "C": by code point, as on the other engine.

-- Facts about this database itself.
create table meta (
  name text collate "C" primary key,
  value text not null
);

-- Random at creation, new after a restore: entity tags and cursors carry it.
insert into meta (name, value) values ('epoch', substr(md5(random()::text || clock_timestamp()::text), 1, 8));
-- The oldest version of the program that can still work with this schema.
insert into meta (name, value) values ('oldest_program', '0.1.0');

-- Sums over all slots of a name. A writer adds to one slot only, so that writers do not queue.
create table counters (
  name text collate "C" not null,
  slot integer not null,
  n bigint not null,
  primary key (name, slot)
) with (fillfactor = 50);

create table bookmarks (
  id bigint generated always as identity primary key,
  title text not null check (char_length(title) <= 200),
  url text not null check (char_length(url) <= 500),
  description text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  version bigint not null default 1,
  -- The account that made it. No foreign key: ids are never used again, so the number stays true
  -- after the account is gone.
  created_by bigint
);

create index bookmarks_by_age on bookmarks (created_at, id);
-- None by URL: nearly each new bookmark would write a page of it, and only imports look for URLs, many at once.

-- What each import brought, so that it can be undone and an export can be whole.
create table imports (
  id bigint generated always as identity primary key,
  file_name text not null,
  format text not null,
  created_at timestamptz(3) not null,
  created_by bigint
);

create table import_rows (
  import_id bigint not null references imports (id) on delete cascade,
  -- The row's place among the file's rows, from 1.
  position integer not null,
  -- The line of the file that it begins on, from 1.
  line integer not null,
  outcome text not null check (outcome in ('added', 'updated', 'skipped', 'refused')),
  -- Why a row was refused: a fault code.
  reason text,
  -- The bookmark added, updated, or found there already, and its version after the import.
  bookmark_id bigint,
  bookmark_version bigint,
  -- What an updated bookmark was before: a JSON object with title, url and description.
  before text,
  -- As the file has them: the address, the title, the tags and the date (null where it has none),
  -- and the folder names from the outermost in, a JSON array.
  raw_url text not null,
  raw_title text not null,
  raw_tags text,
  raw_date text,
  folders text not null,
  primary key (import_id, position)
);

create index import_rows_by_bookmark on import_rows (bookmark_id);

-- Answers that are kept for clients that try again (header Idempotency-Key).
create table idempotency_keys (
  -- 'anonymous', or 'account:' and its id.
  caller text collate "C" not null,
  path text collate "C" not null,
  key text collate "C" not null,
  -- SHA-256 of the request's raw body, in hexadecimal.
  body_sha256 text not null,
  status integer not null,
  location text,
  body text not null,
  created_at timestamptz(3) not null,
  primary key (caller, path, key)
);

create index idempotency_keys_by_age on idempotency_keys (created_at);
