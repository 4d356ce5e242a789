create table posts (
  id bigint generated always as identity primary key,
  title text collate "C" not null check (char_length(title) between 1 and 500),
  content text not null,
  published boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- When it was published first.
  published_at timestamptz(3),
  version bigint not null default 1,
  -- The account that made it; no foreign key, as with bookmarks.
  created_by bigint
);

create index posts_by_age on posts (published, created_at, id);
create index posts_by_title on posts (published, title, id);
create index posts_by_id on posts (published, id);

create table comments (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts (id) on delete cascade,
  author text not null check (char_length(author) between 1 and 100),
  text text not null check (char_length(text) between 1 and 10000),
  status text not null check (status in ('shown', 'waiting', 'rejected')),
  created_at timestamptz(3) not null,
  created_by bigint
);

create index comments_by_post on comments (post_id, status, created_at, id);
create index comments_by_status on comments (status, created_at, id);
