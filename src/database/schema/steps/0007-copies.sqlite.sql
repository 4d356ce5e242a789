-- Copies of pages, and the words in them.
create table copies (
  id integer primary key autoincrement,
  bookmark_id integer not null,
  taken_at integer not null,
  origin text not null check (origin in ('browser', 'fetched', 'imported')),
  url text not null,
  title text not null check (length(title) <= 200),
  byline text,
  site text,
  language text,
  direction text check (direction in ('ltr', 'rtl')),
  published_at integer,
  words integer not null,
  is_article integer not null check (is_article in (0, 1)),
  extractor integer not null,
  size integer not null,
  created_by integer,
  digest integer not null,
  text blob not null
) strict;

create index copies_by_bookmark on copies (bookmark_id, taken_at, id);
create index copies_by_size on copies (size);

create table copy_blobs (
  sha256 text primary key,
  size integer not null,
  object text,
  bytes blob
) strict;

create index copy_blobs_by_object on copy_blobs (object) where object is not null;

create table copy_parts (
  copy_id integer not null references copies (id) on delete cascade,
  name text not null,
  sha256 text not null references copy_blobs (sha256),
  type text not null,
  width integer,
  height integer,
  position integer,
  primary key (copy_id, name)
) strict;

create index copy_parts_by_sha256 on copy_parts (sha256);

create table reading (
  bookmark_id integer primary key,
  copy_id integer,
  place integer not null,
  progress integer not null check (progress between 0 and 100),
  begun_at integer not null,
  updated_at integer not null,
  finished integer not null check (finished in (0, 1))
) strict;

create index reading_by_age on reading (updated_at);

create table copy_failures (
  bookmark_id integer primary key,
  failed_at integer not null,
  reason text not null
) strict;

create index copy_failures_by_age on copy_failures (failed_at);

create table search_copies (
  key integer primary key,
  id integer not null unique,
  copy_id integer not null,
  version integer not null
) strict;

create index search_copies_by_version on search_copies (version);

create virtual table search_copies_words using fts5 (
  body,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '#%+-./=@_~:'"
);
