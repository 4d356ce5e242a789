-- The states of a bookmark become columns of it. They stand before its description, so the table is made again.
create temporary table bookmarks_before as
  select b.*, s.unread, s.archived, s.shared, s.updated_at as states_updated_at, s.not_before
  from bookmarks b left join bookmark_states s on s.bookmark_id = b.id;

drop table bookmark_states;

drop table bookmarks;

create table bookmarks (
  id integer primary key autoincrement,
  title text not null check (length(title) <= 200),
  url text not null check (length(url) <= 500),
  created_at integer not null,
  updated_at integer not null,
  version integer not null default 1,
  created_by integer,
  -- States, which are no part of its version: they change neither that nor updated_at.
  unread integer not null default 0 check (unread in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  shared integer not null default 0 check (shared in (0, 1)),
  -- When they were changed last; null while none was ever set.
  states_updated_at integer,
  -- What is to be read, but not now, comes back then.
  not_before integer,
  -- Last, since SQLite would read its pages to get at what is behind it.
  description text not null
) strict;

create index bookmarks_by_age on bookmarks (created_at, id);
-- None by URL: nearly each new bookmark would write a page of it, and only imports look for URLs, many at once.
-- SQLite uses a partial index only for a condition that is written as in the index.
create index bookmarks_unread on bookmarks (id) where unread is true;
create index bookmarks_archived on bookmarks (id) where archived is true;
create index bookmarks_read on bookmarks (states_updated_at) where unread is not true and states_updated_at is not null;

insert into bookmarks (id, title, url, created_at, updated_at, version, created_by, unread, archived, shared,
  states_updated_at, not_before, description)
select id, title, url, created_at, updated_at, version, created_by, coalesce(unread, 0), coalesce(archived, 0),
  coalesce(shared, 0), states_updated_at, not_before, description
from bookmarks_before order by id;

drop table bookmarks_before;
