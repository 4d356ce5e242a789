-- The owner's style sheet for the pages that readers see: one row, or none.
create table themes (
  -- Of the style sheet; part of its address.
  hash text primary key,
  css text not null,
  created_at integer not null
) strict;

-- Feeds of waiting comments for a moderator's feed reader, which cannot sign in.
create table comment_feed_keys (
  key_sha256 text primary key,
  created_at integer not null,
  -- The moderator: the feed ends with the account.
  created_by integer not null references accounts (id) on delete cascade
) strict;

create index comment_feed_keys_by_account on comment_feed_keys (created_by);
