-- What the site knows of a post beyond the six members of the specification. A post without a row is a draft about
-- which nothing was said yet.
create table publications (
  post_id integer primary key references posts (id) on delete cascade,
  kind text not null default 'post' check (kind in ('post', 'link', 'page')),
  -- Of a link: the URL that it leads to.
  link text,
  -- The last part of the post's path; null until it is first published, or its slug chosen.
  slug text unique,
  summary text,
  language text,
  image text,
  canonical_url text,
  -- When a draft publishes itself.
  publish_at integer,
  -- The date by which the site lists it; null while it is a draft or a page.
  listed_at integer,
  version integer not null default 1
) strict;

create index publications_by_date on publications (listed_at, post_id) where listed_at is not null;
create index publications_pending on publications (publish_at) where publish_at is not null;

-- Posts of before get their slugs when the server next starts.
insert into publications (post_id, listed_at) select id, published_at from posts where published = 1;

-- Slugs that posts had before: links to them still lead there.
create table former_slugs (
  slug text primary key,
  post_id integer not null references posts (id) on delete cascade
) strict;

create index former_slugs_by_post on former_slugs (post_id);

create table post_tags (
  post_id integer not null references posts (id) on delete cascade,
  -- Its place among the post's tags, from 1.
  position integer not null,
  -- The name folded for comparison, and as it was written.
  key text not null,
  name text not null,
  primary key (post_id, position)
) strict;

create index post_tags_by_key on post_tags (key, post_id);

-- The texts that a post had before its present one.
create table post_versions (
  post_id integer not null references posts (id) on delete cascade,
  -- From 1, oldest first.
  number integer not null,
  title text not null,
  content text not null,
  published integer not null check (published in (0, 1)),
  -- When the next one took its place, and the account that did that.
  replaced_at integer not null,
  replaced_by integer,
  primary key (post_id, number)
) strict;

-- Working copies of posts, as editors keep them. No foreign key: a text outlives the post that it was made from.
create table edits (
  -- A UUID that the client has chosen.
  key text primary key,
  post_id integer,
  -- The version of the post that the text was made from.
  base_version integer,
  title text not null,
  content text not null,
  -- Whatever else the editor's form has: a JSON object of texts.
  fields text not null,
  version integer not null default 1,
  created_at integer not null,
  updated_at integer not null,
  created_by integer
) strict;

create index edits_by_post on edits (post_id);
create index edits_by_age on edits (updated_at);

-- Links to a working copy for people without an account.
create table previews (
  -- SHA-256 of the link's secret, in hexadecimal.
  secret_key_sha256 text primary key,
  edit_key text not null,
  created_at integer not null,
  expires_at integer not null
) strict;

create index previews_by_edit on previews (edit_key);
