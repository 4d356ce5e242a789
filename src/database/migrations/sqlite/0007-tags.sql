-- What a bookmark is besides its fields. A bookmark without a row is none of these.
create table bookmark_states (
  bookmark_id integer primary key references bookmarks (id) on delete cascade,
  unread integer not null check (unread in (0, 1)),
  archived integer not null check (archived in (0, 1)),
  shared integer not null check (shared in (0, 1)),
  updated_at integer not null
) strict;

create index bookmark_states_unread on bookmark_states (bookmark_id) where unread = 1;
create index bookmark_states_archived on bookmark_states (bookmark_id) where archived = 1;

-- Ids and dates of tags for clients that need them stable, and tags that no bookmark has yet. Which tags
-- bookmarks have stands in their descriptions.
create table tags (
  id integer primary key autoincrement,
  -- The name folded for comparison.
  key text not null unique,
  -- As it was written when the row was made.
  name text not null,
  created_at integer not null
) strict;

-- Changes that can be undone for some days.
create table undo_records (
  id integer primary key autoincrement,
  -- Random; part of the URL that undoes the change.
  key text not null unique,
  kind text not null,
  -- What the change was asked to do, a JSON object.
  details text not null,
  created_at integer not null,
  created_by integer,
  -- Null while the change stands.
  undone_at integer
) strict;

create index undo_records_by_age on undo_records (created_at);

create table undo_rows (
  record_id integer not null references undo_records (id) on delete cascade,
  bookmark_id integer not null,
  outcome text not null check (outcome in ('updated', 'deleted')),
  -- The bookmark's version after the change; of a deleted one, its last.
  version integer not null,
  -- What it was before: a JSON object with the members that the change replaced, all of a deleted one.
  before text not null,
  primary key (record_id, bookmark_id)
) strict;

create index undo_rows_by_bookmark on undo_rows (bookmark_id);
