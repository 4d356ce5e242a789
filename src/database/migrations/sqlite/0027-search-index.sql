-- The search index anew, a fifth smaller. It is made again from the records.

drop table if exists search_bookmarks;
drop table if exists search_bookmarks_words;
drop table if exists search_bookmarks_tags;
drop table if exists search_bookmarks_tag_counts;
drop table if exists search_bookmarks_tag_names;
drop table if exists search_bookmarks_sites;
drop table if exists search_posts;
drop table if exists search_posts_words;

create table search_bookmarks (
  -- Grows with (created_at, id), so that the full-text table, whose rowid it is, reads newest first, and needs no index
  -- by age; small, since the full-text table stores differences.
  key integer primary key,
  id integer not null unique,
  created_at integer not null,
  -- The first 16 characters, to sort by: few titles begin with the same.
  title text not null,
  -- A hash of the key of the page.
  page text not null,
  -- The host, without `www.`.
  host text not null
) strict;

create index search_bookmarks_by_title on search_bookmarks (title);
create index search_bookmarks_by_page on search_bookmarks (page);

-- Fed with tokens that are separated by blanks. The first column has everything that is in no other: words of the
-- title, the tags and the host too, with a mark before each.
create virtual table search_bookmarks_words using fts5 (
  body, url,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '#%+-./=@_~:^'"
);

-- The tags of each bookmark, by their keys.
create table search_bookmarks_tags (
  tag_key text not null,
  created_at integer not null,
  record_id integer not null,
  -- As written there; null where that is the key.
  name text,
  primary key (tag_key, created_at, record_id)
) strict, without rowid;

create index search_bookmarks_tags_by_record on search_bookmarks_tags (record_id);

-- How many bookmarks have a tag, and how many have it or one below it.
create table search_bookmarks_tag_counts (
  tag_key text primary key,
  records integer not null,
  with_below integer not null
) strict, without rowid;

-- How many bookmarks write a tag in which way.
create table search_bookmarks_tag_names (
  tag_key text not null,
  name text not null,
  records integer not null,
  primary key (tag_key, name)
) strict, without rowid;

-- How many bookmarks a host has.
create table search_bookmarks_sites (
  host text primary key,
  records integer not null
) strict, without rowid;

create table search_posts (
  key integer primary key,
  id integer not null unique,
  created_at integer not null,
  title text not null,
  page text not null,
  host text not null
) strict;

create index search_posts_by_title on search_posts (title);

create virtual table search_posts_words using fts5 (
  body, author,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '#%+-./=@_~:^'"
);
