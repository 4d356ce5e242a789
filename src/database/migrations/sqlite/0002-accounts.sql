create table accounts (
  id integer primary key autoincrement,
  username text not null check (length(username) between 1 and 64),
  -- The name without regard to case: what makes it unique and finds it.
  username_key text not null unique,
  -- PHC string of argon2id.
  password_hash text not null,
  created_at integer not null,
  updated_at integer not null,
  disabled_at integer
) strict;

create table tokens (
  id integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key's secret part, in hexadecimal; the key itself is shown once and kept nowhere.
  secret_sha256 text not null,
  -- Separated by spaces.
  scopes text not null,
  created_at integer not null,
  expires_at integer,
  last_used_at integer
) strict;

create index tokens_by_account on tokens (account_id);
create index tokens_by_expiry on tokens (expires_at);

create table sessions (
  -- SHA-256 of the cookie's value, in hexadecimal.
  key_sha256 text primary key,
  account_id integer not null references accounts (id) on delete cascade,
  created_at integer not null,
  last_seen_at integer not null
) strict, without rowid;

create index sessions_by_account on sessions (account_id);
create index sessions_by_age on sessions (created_at);

-- Failed sign-ins, by what they have in common: an account and address together, an address, an account.
create table sign_in_failures (
  subject text primary key,
  failures integer not null,
  last_failed_at integer not null
) strict, without rowid;

create index sign_in_failures_by_age on sign_in_failures (last_failed_at);
