-- Programs that write posts through Micropub, and how they sign in (IndieAuth).

-- What such a program says of a post and the post has no place for: a JSON object of lists.
create table post_properties (
  post_id integer primary key references posts (id) on delete cascade,
  properties text not null
) strict;

-- The URL that names the program to which a token was given; null where a person copied the key.
alter table tokens add column client_id text;

-- What a program gets from the authorization page, and exchanges for a token once.
create table authorization_codes (
  -- SHA-256 of the code, in hexadecimal.
  code_key_sha256 text primary key,
  account_id integer not null references accounts (id) on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- SHA-256 of the program's verifier, in base64url (RFC 7636, S256).
  challenge text not null,
  -- Separated by spaces; empty when the program only wants to know who it is.
  scopes text not null,
  created_at integer not null,
  expires_at integer not null,
  -- When it was exchanged, and for which token: one that comes again revokes it.
  used_at integer,
  given_token_id integer
) strict;

create index authorization_codes_by_account on authorization_codes (account_id);
create index authorization_codes_by_expiry on authorization_codes (expires_at);
