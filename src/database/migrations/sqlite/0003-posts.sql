create table posts (
  id integer primary key autoincrement,
  title text not null check (length(title) between 1 and 500),
  content text not null,
  published integer not null check (published in (0, 1)),
  created_at integer not null,
  updated_at integer not null,
  -- When it was published first.
  published_at integer,
  version integer not null default 1,
  -- The account that made it; no foreign key, as with bookmarks.
  created_by integer
) strict;

create index posts_by_age on posts (published, created_at, id);
create index posts_by_title on posts (published, title, id);
create index posts_by_id on posts (published, id);

create table comments (
  id integer primary key autoincrement,
  post_id integer not null references posts (id) on delete cascade,
  author text not null check (length(author) between 1 and 100),
  text text not null check (length(text) between 1 and 10000),
  status text not null check (status in ('shown', 'waiting', 'rejected')),
  created_at integer not null,
  created_by integer
) strict;

create index comments_by_post on comments (post_id, status, created_at, id);
create index comments_by_status on comments (status, created_at, id);
