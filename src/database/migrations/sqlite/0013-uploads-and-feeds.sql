-- Files of bookmarks between looking them over and importing them.
create table import_uploads (
  -- Random; part of the address of the page.
  key text primary key,
  file_name text not null,
  bytes blob not null,
  created_at integer not null
) strict;

create index import_uploads_by_age on import_uploads (created_at);

-- Feeds of the library for whoever has their key.
create table feed_keys (
  id integer primary key autoincrement,
  key_sha256 text not null unique,
  -- The search whose matches the feed has; empty for all bookmarks.
  query text not null,
  created_at integer not null,
  created_by integer
) strict;
