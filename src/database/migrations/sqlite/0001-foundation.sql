-- Instants are whole milliseconds since 1970, UTC.

-- Facts about this database itself.
create table meta (
  name text primary key,
  value text not null
) strict, without rowid;

-- Random at creation, new after a restore: entity tags and cursors carry it.
insert into meta (name, value) values ('epoch', lower(hex(randomblob(4))));
-- The oldest version of the program that can still work with this schema.
insert into meta (name, value) values ('oldest_program', '0.1.0');

-- Sums over all slots of a name. A writer adds to one slot only, so that writers do not queue.
create table counters (
  name text not null,
  slot integer not null,
  n integer not null,
  primary key (name, slot)
) strict, without rowid;

create table bookmarks (
  id integer primary key autoincrement,
  title text not null check (length(title) <= 200),
  url text not null check (length(url) <= 500),
  description text not null,
  created_at integer not null,
  updated_at integer not null,
  version integer not null default 1,
  -- The account that made it. No foreign key: ids are never used again, so the number stays true
  -- after the account is gone.
  created_by integer
) strict;

create index bookmarks_by_age on bookmarks (created_at, id);
-- None by URL: nearly each new bookmark would write a page of it, and only imports look for URLs, many at once.

-- What each import brought, so that it can be undone and an export can be whole.
create table imports (
  id integer primary key autoincrement,
  file_name text not null,
  format text not null,
  created_at integer not null,
  created_by integer
) strict;

create table import_rows (
  import_id integer not null references imports (id) on delete cascade,
  -- The row's place among the file's rows, from 1.
  position integer not null,
  -- The line of the file that it begins on, from 1.
  line integer not null,
  outcome text not null check (outcome in ('added', 'updated', 'skipped', 'refused')),
  -- Why a row was refused: a fault code.
  reason text,
  -- The bookmark added, updated, or found there already, and its version after the import.
  bookmark_id integer,
  bookmark_version integer,
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
) strict, without rowid;

create index import_rows_by_bookmark on import_rows (bookmark_id);

-- Answers that are kept for clients that try again (header Idempotency-Key).
create table idempotency_keys (
  -- 'anonymous', or 'account:' and its id.
  caller text not null,
  path text not null,
  key text not null,
  -- SHA-256 of the request's raw body, in hexadecimal.
  body_sha256 text not null,
  status integer not null,
  location text,
  body text not null,
  created_at integer not null,
  primary key (caller, path, key)
) strict, without rowid;

create index idempotency_keys_by_age on idempotency_keys (created_at);
