-- Pictures of the pages of bookmarks.
create table page_pictures (
  url text collate "C" primary key check (length(url) <= 500),
  page text collate "C" not null,
  read_at timestamptz(3) not null,
  sha256 text collate "C" references copy_blobs (sha256),
  width bigint,
  height bigint,
  is_public boolean not null,
  unused_since timestamptz(3)
);

create index page_pictures_by_sha256 on page_pictures (sha256) where sha256 is not null;
create index page_pictures_unused on page_pictures (unused_since) where unused_since is not null;
