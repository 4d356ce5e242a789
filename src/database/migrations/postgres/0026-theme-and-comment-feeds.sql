-- The owner's style sheet for the pages that readers see: one row, or none.
create table themes (
  -- Of the style sheet; part of its address.
  hash text collate "C" primary key,
  css text not null,
  created_at timestamptz(3) not null
);

-- Feeds of waiting comments for a moderator's feed reader, which cannot sign in.
create table comment_feed_keys (
  key_sha256 text collate "C" primary key,
  created_at timestamptz(3) not null,
  -- The moderator: the feed ends with the account.
  created_by bigint not null references accounts (id) on delete cascade
);

create index comment_feed_keys_by_account on comment_feed_keys (created_by);
