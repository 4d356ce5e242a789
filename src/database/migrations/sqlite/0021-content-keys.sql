-- Keys of websites that read the published posts through Ghost's Content API.
create table content_keys (
  id integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key, in hexadecimal; the key itself is shown once and kept nowhere.
  key_sha256 text not null unique,
  created_at integer not null,
  last_used_at integer
) strict;

create index content_keys_by_account on content_keys (account_id);
