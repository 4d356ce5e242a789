-- What the owner has set about the site, each as a JSON value; a setting without a row has its default.
create table site_settings (
  name text collate "C" primary key,
  value text not null,
  updated_at timestamptz(3) not null
);

-- The link that makes the first account: one at most.
create table welcome_links (
  -- SHA-256 of the link's secret, in hexadecimal; the link itself is shown once and kept nowhere.
  secret_sha256 text collate "C" primary key,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);

-- What the browser of a session calls itself, so that its owner can tell which one to end.
alter table sessions add column user_agent text;
