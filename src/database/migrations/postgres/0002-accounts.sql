create table accounts (
  id bigint generated always as identity primary key,
  username text not null check (char_length(username) between 1 and 64),
  -- The name without regard to case: what makes it unique and finds it.
  username_key text collate "C" not null unique,
  -- PHC string of argon2id.
  password_hash text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  disabled_at timestamptz(3)
);

create table tokens (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key's secret part, in hexadecimal; the key itself is shown once and kept nowhere.
  secret_sha256 text not null,
  -- Separated by spaces.
  scopes text not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3)
);

create index tokens_by_account on tokens (account_id);
create index tokens_by_expiry on tokens (expires_at);

create table sessions (
  -- SHA-256 of the cookie's value, in hexadecimal.
  key_sha256 text collate "C" primary key,
  account_id bigint not null references accounts (id) on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null
);

create index sessions_by_account on sessions (account_id);
create index sessions_by_age on sessions (created_at);

-- Failed sign-ins, by what they have in common: an account and address together, an address, an account.
create table sign_in_failures (
  subject text collate "C" primary key,
  failures integer not null,
  last_failed_at timestamptz(3) not null
);

create index sign_in_failures_by_age on sign_in_failures (last_failed_at);
