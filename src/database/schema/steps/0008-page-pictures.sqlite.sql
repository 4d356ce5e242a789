-- Pictures of the pages of bookmarks.
create table page_pictures (
  url text primary key check (length(url) <= 500),
  page text not null,
  read_at integer not null,
  sha256 text references copy_blobs (sha256),
  width integer,
  height integer,
  is_public integer not null check (is_public in (0, 1)),
  unused_since integer
) strict;

create index page_pictures_by_sha256 on page_pictures (sha256) where sha256 is not null;
create index page_pictures_unused on page_pictures (unused_since) where unused_since is not null;
