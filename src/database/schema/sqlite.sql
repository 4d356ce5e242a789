-- The tables of a SQLite database. Those of PostgreSQL (postgres.sql) have the same names and columns.
--
-- Instants are whole milliseconds since 1970, UTC. Truth values are 0 or 1. An id is never used twice (autoincrement).
-- `created_by` is the account that made a record; where it has no foreign key, the number stays after the account is gone,
-- and stays true, since no other account gets it.
--
-- A change is made here and in a step (steps/steps.ts), which brings earlier databases to the same. Nothing but statements that
-- create tables and indexes: each is sent in a message of its own.

-- The database itself ---------------------------------------------------------------------------------------------------

-- Facts about this database: `epoch` (random, new after a restore; entity tags and cursors carry it), `schema` (which schema
-- it has), `written_by` (the program whose servers write it), secrets that sign, and marks of a move.
create table meta (
  name text primary key,
  value text not null
) strict, without rowid;

-- Exact totals, so that counting is cheap: the sum over all slots of a name. A writer adds to one slot only, so that writers
-- do not queue.
create table counters (
  name text not null,
  slot integer not null,
  n integer not null,
  primary key (name, slot)
) strict, without rowid;

-- What tells processes on PostgreSQL when to read again; empty here.
create table commits (
  slot integer primary key,
  n integer not null
) strict;

-- Responses that are stored for clients that try again (header Idempotency-Key), for a day.
create table idempotency_keys (
  -- 'anonymous', or 'account:' and its id.
  caller text not null,
  path text not null,
  key text not null,
  -- SHA-256 of the request's raw body, in hexadecimal.
  body_sha256 text not null,
  status integer not null,
  location text,
  body text not null,
  created_at integer not null,
  primary key (caller, path, key)
) strict, without rowid;

create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Work that follows a request or comes again and again, such as the purge of expired records.
create table jobs (
  id integer primary key autoincrement,
  kind text not null,
  -- A second request of the same kind and key is the same job, run once more if it is running.
  key text not null,
  -- A JSON object.
  payload text not null,
  -- How often it was requested.
  requests integer not null,
  -- It runs at this instant or later.
  run_at integer not null,
  -- Runs since it last succeeded.
  attempts integer not null,
  last_error text,
  -- Random; of the process that runs it. A lease that has run out frees the job for another process.
  lease text,
  leased_until integer,
  created_at integer not null,
  unique (kind, key)
) strict;

create index jobs_by_run_at on jobs (run_at);

-- Accounts, and what lets in ---------------------------------------------------------------------------------------------

create table accounts (
  id integer primary key autoincrement,
  username text not null check (length(username) between 1 and 64),
  -- The name without regard to case: what makes it unique and finds it.
  username_key text not null unique,
  -- The name that readers see instead of the one to sign in with.
  display_name text check (length(display_name) between 1 and 100),
  -- PHC string of argon2id.
  password_hash text not null,
  created_at integer not null,
  updated_at integer not null,
  disabled_at integer
) strict;

-- Signed-in browsers.
create table sessions (
  -- SHA-256 of the cookie's value, in hexadecimal.
  key_sha256 text primary key,
  account_id integer not null references accounts (id) on delete cascade,
  -- What the browser calls itself, so that its owner can tell which session to end.
  user_agent text,
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

-- Keys of programs for the API.
create table tokens (
  id integer primary key autoincrement,
  account_id integer not null references accounts (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key's secret part, in hexadecimal; the key itself is shown once and stored nowhere.
  secret_sha256 text not null,
  -- Separated by spaces.
  scopes text not null,
  -- The URL that names the program to which it was given (IndieAuth); null where a person copied the key.
  client_id text,
  created_at integer not null,
  expires_at integer,
  last_used_at integer
) strict;

create index tokens_by_account on tokens (account_id);
create index tokens_by_expiry on tokens (expires_at);

-- What a program gets from the authorization page (IndieAuth), and exchanges for a token once.
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
  -- How many days the token for this code is valid; null: until it is revoked.
  token_days integer,
  created_at integer not null,
  expires_at integer not null,
  -- When it was exchanged, and for which token: one that comes again revokes it.
  used_at integer,
  given_token_id integer
) strict;

create index authorization_codes_by_account on authorization_codes (account_id);
create index authorization_codes_by_expiry on authorization_codes (expires_at);

-- Keys that work without signing in: of websites that read the published posts, of secret feeds, shared lists and previews.
create table keys (
  id integer primary key autoincrement,
  kind text not null check (kind in ('website', 'library-feed', 'comment-feed', 'shared-list', 'preview')),
  account_id integer not null references accounts (id) on delete cascade,
  -- SHA-256 of the key, in hexadecimal; the key itself is shown once and stored nowhere.
  secret_sha256 text not null unique,
  -- Of a website, or the title of a shared list.
  name text not null,
  -- The search of a feed or shared list; the key of a working copy.
  target text not null,
  with_notes integer not null check (with_notes in (0, 1)),
  created_at integer not null,
  -- null: until it is revoked.
  expires_at integer,
  last_used_at integer,
  -- The token that made it, with which it ends when that is revoked, and its name, for when it is gone; null: made by a person.
  token_id integer,
  token_name text
) strict;

create index keys_by_account on keys (account_id);
create index keys_by_expiry on keys (expires_at);
-- SQLite uses a partial index only for a condition that is written as in the index.
create index keys_of_previews on keys (target) where kind = 'preview';

-- The link that makes the first account: one at most.
create table welcome_links (
  -- SHA-256 of the link's secret, in hexadecimal; the link itself is shown once and stored nowhere.
  secret_sha256 text primary key,
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;

-- The site ---------------------------------------------------------------------------------------------------------------

-- What the owner has set about the site, each as a JSON value; a setting without a row has its default.
create table site_settings (
  name text primary key,
  value text not null,
  updated_at integer not null
) strict, without rowid;

-- The owner's style sheet for the pages that readers see: one row, or none.
create table themes (
  -- Of the style sheet; part of its address.
  hash text primary key,
  css text not null,
  created_at integer not null
) strict;

-- Bookmarks --------------------------------------------------------------------------------------------------------------

create table bookmarks (
  id integer primary key autoincrement,
  title text not null check (length(title) <= 200),
  url text not null check (length(url) <= 500),
  created_at integer not null,
  updated_at integer not null,
  version integer not null default 1,
  created_by integer,
  -- States, which are no part of its version: they change neither that nor updated_at.
  unread integer not null default 0 check (unread in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  shared integer not null default 0 check (shared in (0, 1)),
  -- When they were changed last; null while none was ever set.
  states_updated_at integer,
  -- What is to be read, but not now, comes back then.
  not_before integer,
  -- Last, since SQLite would read its pages to get at what is behind it.
  description text not null,
  -- Of title, URL and description (content-digest.ts); null: unknown.
  digest integer
) strict;

create index bookmarks_by_age on bookmarks (created_at, id);
-- None by URL: nearly each new bookmark would write a page of it, and only imports look for URLs, many at once.
-- SQLite uses a partial index only for a condition that is written as in the index.
create index bookmarks_unread on bookmarks (id) where unread is true;
create index bookmarks_archived on bookmarks (id) where archived is true;
create index bookmarks_read on bookmarks (states_updated_at) where unread is not true and states_updated_at is not null;

-- Ids and dates of tags for clients that need them stable, and tags that no bookmark has yet. Which tags a bookmark has
-- is in its description.
create table tags (
  id integer primary key autoincrement,
  -- The name folded for comparison.
  key text not null unique,
  -- As it was written when the row was made.
  name text not null,
  created_at integer not null
) strict;

-- Icons of the sites that bookmarks lead to, read together with a page whose title was read.
create table site_icons (
  -- As of the search index: readable, without `www.`.
  host text primary key,
  -- The beginning of the SHA-256 of the larger one; part of their address.
  hash text not null,
  -- When the site was asked for it.
  read_at integer not null,
  -- WebP of at most 2 kB, 16 and 32 pixels wide and high at most.
  small blob not null,
  large blob not null
) strict;

create index site_icons_by_age on site_icons (read_at);

-- Copies of pages --------------------------------------------------------------------------------------------------------

-- What the page of a bookmark was at an instant. They are for whoever may read the bookmarks by an account or a token of it.
create table copies (
  id integer primary key autoincrement,
  -- No foreign key: a bookmark that was removed and may come back keeps its copies for that long.
  bookmark_id integer not null,
  taken_at integer not null,
  -- Sent from a browser, fetched by the server, or from the export of another program.
  origin text not null check (origin in ('browser', 'fetched', 'imported')),
  -- Where the page was, after all redirects.
  url text not null,
  title text not null check (length(title) <= 200),
  byline text,
  site text,
  -- A BCP 47 tag, and the direction of its writing.
  language text,
  direction text check (direction in ('ltr', 'rtl')),
  published_at integer,
  words integer not null,
  -- Whether it is an article: of others, the original shows more than the text.
  is_article integer not null check (is_article in (0, 1)),
  -- The version of what made the text: extraction and sanitizer.
  extractor integer not null,
  -- Bytes of text and parts as they are stored, those that other copies have too among them.
  size integer not null,
  created_by integer,
  -- Of url, title, byline, site and text as it is stored (content-digest.ts).
  digest integer not null,
  -- Sanitized HTML of at most the article, compressed with Zstandard. Last, since SQLite would read its pages to get at what is
  -- behind it.
  text blob not null
) strict;

create index copies_by_bookmark on copies (bookmark_id, taken_at, id);
-- For their sum.
create index copies_by_size on copies (size);

-- The bytes of the parts and of pictures of pages, compressed with Zstandard: each once, and none that nothing has. Never among the
-- media, which readers see.
create table copy_blobs (
  -- Of the bytes before they are compressed, in hexadecimal.
  sha256 text primary key,
  -- Bytes as they are stored.
  size integer not null,
  -- Their name in the store of MEDIA: the SHA-256 of what is stored there.
  object text,
  -- Null when they are in that store.
  bytes blob
) strict;

create index copy_blobs_by_object on copy_blobs (object) where object is not null;

-- The original of a copy and the pictures of its text.
create table copy_parts (
  copy_id integer not null references copies (id) on delete cascade,
  -- `original`; `picture-` and a number, as the text names it; `data-` and a number for what was taken out of the original.
  name text not null,
  sha256 text not null references copy_blobs (sha256),
  -- The media type.
  type text not null,
  -- Of a picture, in pixels.
  width integer,
  height integer,
  -- Of what was taken out of the original: where it is put back, in bytes of what is left.
  position integer,
  primary key (copy_id, name)
) strict;

create index copy_parts_by_sha256 on copy_parts (sha256);

-- Which copies are read, and how far. No foreign keys, as of copies.
create table reading (
  bookmark_id integer primary key,
  -- The chosen copy; null: the newest that counts.
  copy_id integer,
  -- Where the reader stopped: in characters of the text, and in hundredths.
  place integer not null,
  progress integer not null check (progress between 0 and 100),
  begun_at integer not null,
  updated_at integer not null,
  finished integer not null check (finished in (0, 1))
) strict;

create index reading_by_age on reading (updated_at);

-- Pages that could not be fetched, until there is a copy.
create table copy_failures (
  bookmark_id integer primary key,
  failed_at integer not null,
  -- A code.
  reason text not null
) strict;

create index copy_failures_by_age on copy_failures (failed_at);

-- What readers have marked in the pages of bookmarks: a mark is of the bookmark, and is found again in the copy that is shown. No foreign
-- key, as of copies.
create table marks (
  id integer primary key autoincrement,
  bookmark_id integer not null,
  -- The marked words, and up to 32 characters on both sides of them.
  quote text not null,
  prefix text not null,
  suffix text not null,
  -- Where they began in the text in which they were marked, in units of UTF-16; null when that is not known.
  position integer,
  -- Empty without one.
  note text not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  created_by integer,
  -- Of quote, prefix, suffix and note (content-digest.ts).
  digest integer not null
) strict;

create index marks_by_bookmark on marks (bookmark_id, id);
create index marks_by_age on marks (created_at, id);

-- Pictures of the pages that bookmarks lead to, by their URLs: a page is read before it is saved. Their bytes are among the blobs.
create table page_pictures (
  -- As bookmarks have it.
  url text primary key check (length(url) <= 500),
  -- As search_bookmarks has it, to find whether a bookmark leads there.
  page text not null,
  -- When the page was asked for its picture, or the copy stored that has it.
  read_at integer not null,
  -- Null: the page has none. The two others with it.
  sha256 text references copy_blobs (sha256),
  -- In pixels.
  width integer,
  height integer,
  -- Whether the server has fetched it as anybody could. One of a page that a browser sent is for whoever may read copies.
  is_public integer not null check (is_public in (0, 1)),
  -- Since when no bookmark leads to the page, as far as a job has seen.
  unused_since integer
) strict;

create index page_pictures_by_sha256 on page_pictures (sha256) where sha256 is not null;
create index page_pictures_unused on page_pictures (unused_since) where unused_since is not null;

-- Posts ------------------------------------------------------------------------------------------------------------------

create table posts (
  id integer primary key autoincrement,
  title text not null check (length(title) between 1 and 500),
  published integer not null check (published in (0, 1)),
  created_at integer not null,
  updated_at integer not null,
  -- When it was published first: the date by which the site lists it.
  published_at integer,
  version integer not null default 1,
  -- How often the comments that it shows, or what follows, have changed. The version counts changes of the title, the
  -- content and `published` alone, so that a comment does not refuse its author's save.
  comments_version integer not null default 0,
  created_by integer,
  -- From here on, its publication: what the site shows beyond the six members of the specification.
  kind text not null default 'post' check (kind in ('post', 'link', 'page')),
  -- Of a link: the URL that it leads to.
  link text,
  -- The last part of its path; null until it is first published, or its slug chosen.
  slug text unique,
  summary text,
  language text,
  image text,
  canonical_url text,
  -- When a draft publishes itself.
  publish_at integer check (publish_at is null or not published),
  -- 0 while nothing was said of all this.
  publication_version integer not null default 0,
  -- Last, since SQLite would read its pages to get at what is behind it.
  content text not null,
  -- Of title and content.
  digest integer
) strict;

create index posts_by_age on posts (published, created_at, id);
create index posts_by_title on posts (published, title, id);
create index posts_by_id on posts (published, id);
create index posts_by_author on posts (created_by, published);
-- What the site lists, and its pages. SQLite uses a partial index only for a condition that is written as in the index.
create index posts_listed on posts (published_at, id, kind) where published is true and kind <> 'page';
create index posts_listed_by_author on posts (created_by, published_at, id, kind) where published is true and kind <> 'page';
create index posts_pages on posts (title, id) where published is true and kind = 'page';
create index posts_scheduled on posts (publish_at) where publish_at is not null;
-- Which posts lead to a page: whether a bookmark is published, and where it is cited.
create index posts_by_link on posts (link) where link is not null;

-- Slugs that posts had before: links to them still lead there.
create table former_slugs (
  slug text primary key,
  post_id integer not null references posts (id) on delete cascade
) strict;

create index former_slugs_by_post on former_slugs (post_id);

-- Paths that posts had on another site: requests for them are redirected to the post.
create table redirects (
  -- Percent-decoded and without the slash at its end; of `/?p=12` the parameter belongs to it.
  path text primary key,
  post_id integer not null references posts (id) on delete cascade
) strict;

create index redirects_by_post on redirects (post_id);

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

-- What a program says of a post (Micropub) and the post has no place for: a JSON object of lists.
create table post_properties (
  post_id integer primary key references posts (id) on delete cascade,
  properties text not null
) strict;

-- Published texts as HTML, derived from posts: rendered when first read, and valid while the renderer, the text and its
-- images are the same. Neither moved nor exported.
create table rendered_posts (
  post_id integer not null references posts (id) on delete cascade,
  -- Whether the post's image is at the top of the text.
  with_image integer not null check (with_image in (0, 1)),
  -- The version of the renderer, and the SHA-256 of what it rendered.
  renderer integer not null,
  source_sha256 text not null,
  html text not null,
  excerpt text not null,
  has_more integer not null check (has_more in (0, 1)),
  minutes integer not null,
  -- The first image.
  image text,
  primary key (post_id, with_image)
) strict;

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

-- Working copies of posts, as editors store them. No foreign key: a text outlives the post that it was made from.
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

create table comments (
  id integer primary key autoincrement,
  post_id integer not null references posts (id) on delete cascade,
  author text not null check (length(author) between 1 and 100),
  text text not null check (length(text) between 1 and 10000),
  status text not null check (status in ('shown', 'waiting', 'rejected')),
  -- Why it waits, for those who decide: codes separated by spaces; null when nothing spoke against it.
  reasons text,
  -- The network from which a stranger's comment came (an IPv4 address, an IPv6 /64), for 30 days.
  sender text,
  -- The comment to which it replies; it may be gone, or come back.
  parent_id integer,
  created_at integer not null,
  created_by integer,
  -- Of author and text.
  digest integer
) strict;

create index comments_by_post on comments (post_id, status, created_at, id);
create index comments_by_status on comments (status, created_at, id);
create index comments_by_sender on comments (created_at) where sender is not null;

-- Uploaded images, encoded anew.
create table media (
  -- The beginning of the SHA-256 of the bytes, in hexadecimal: 40 digits.
  sha text primary key,
  type text not null check (type in ('jpg', 'png', 'webp')),
  width integer not null,
  height integer not null,
  size integer not null,
  created_at integer not null,
  created_by integer
) strict;

create index media_by_age on media (created_at, sha);

-- The bytes of an image at each width that it is there in, the whole one too.
create table media_forms (
  sha text not null,
  width integer not null,
  -- Null when they are beside the database, in the store of MEDIA.
  bytes blob,
  -- Their name in that store: their SHA-256, in hexadecimal.
  object text,
  -- Of the bytes that are here.
  digest integer,
  primary key (sha, width)
) strict;

create index media_forms_by_object on media_forms (object) where object is not null;

-- What was ever put into the store of MEDIA, until it is removed there.
create table media_objects (
  object text primary key,
  -- The last instant at which an upload announced it, or a deleted image had it.
  used_at integer not null,
  -- Until then, a process may be removing it: nobody may put it there anew.
  removing_until integer
) strict;

-- Changes -----------------------------------------------------------------------------------------------------------------

-- What can be undone for 30 days, numbered in the order in which it was done.
create table changes (
  id integer primary key autoincrement,
  -- Random; part of the URL that undoes the change.
  key text not null unique,
  -- The kind of records that it is about, such as 'bookmark' or 'post', and what was done to them.
  record text not null,
  kind text not null,
  -- What the change was asked to do, a JSON object.
  details text not null,
  created_at integer not null,
  created_by integer,
  -- Null while the change stands.
  undone_at integer,
  -- The token by which an agent made it, and its name, for when it is gone; null: what a token did elsewhere, or a person.
  token_id integer,
  token_name text
) strict;

create index changes_by_age on changes (created_at);
create index changes_by_token on changes (token_id, created_at) where token_id is not null;

-- The records of such a change. A removed post has its previous versions and its comments here, too.
create table change_rows (
  change_id integer not null references changes (id) on delete cascade,
  record text not null,
  -- Its id; of a version, its number. No foreign key: the record may be gone.
  record_id integer not null,
  outcome text not null check (outcome in ('added', 'updated', 'deleted')),
  -- The record's version after the change; of a deleted one, its last. That of a comment is its status, from 0.
  version integer not null,
  -- What it was before: a JSON object with the members that the change replaced, all of a deleted one.
  before text not null,
  -- Of a change by an agent: what the version does not count, as it was after the change.
  stamp text,
  primary key (change_id, record, record_id)
) strict;

create index change_rows_by_record on change_rows (record, record_id);

-- Imports ----------------------------------------------------------------------------------------------------------------

-- Files that are imported in the browser, from their upload on, for a day. Jobs read and import them.
create table import_uploads (
  -- Random; part of the address of the page.
  key text primary key,
  kind text not null check (kind in ('bookmarks', 'blog')),
  file_name text not null,
  -- Refused: the file cannot be read. Failed: the import can be asked for again.
  state text not null
    check (state in ('uploaded', 'reading', 'refused', 'ready', 'importing', 'failed', 'done')),
  -- Why it was refused, as a sentence, or why it failed, as a code.
  reason text,
  -- What happens to links that are there already; null until the import is asked for.
  rule text,
  -- Whether tags and folders become tags.
  with_tags integer,
  -- The import that it becomes.
  import_id integer,
  -- How many rows or records the file has, once it is read, and how many of them are imported.
  records integer not null default 0,
  imported integer not null default 0,
  -- How far the step before the import is: the bytes or rows that are read, of all; the pictures that are fetched, of all.
  step_done integer not null default 0,
  step_total integer not null default 0,
  -- How many records are read so far.
  items integer not null default 0,
  created_at integer not null,
  finished_at integer
) strict;

create index import_uploads_by_age on import_uploads (created_at);

-- Their bytes, in pieces of a megabyte: the file until it is read, then its checked records, a
-- database of SQLite, and the report of a dry run, each piece compressed with Zstandard. A preview is what the page
-- shows of that, as JSON, one for each choice.
create table import_pieces (
  key text not null references import_uploads (key) on delete cascade,
  part text not null check (part in ('file', 'records', 'preview', 'report', 'pictures')),
  number integer not null,
  bytes blob not null,
  primary key (key, part, number)
) strict, without rowid;

-- What each import brought, so that it can be undone and an export can be whole.
create table imports (
  id integer primary key autoincrement,
  file_name text not null,
  format text not null,
  -- The folder of the browser's toolbar that the file marks, a JSON array of names from the outermost in, so that exports
  -- mark it too; null where the file marks none.
  toolbar_folder text,
  created_at integer not null,
  created_by integer,
  -- When what it brought was taken back; null while it stands.
  undone_at integer
) strict;

-- What became of each row or record of an imported file.
create table import_rows (
  import_id integer not null references imports (id) on delete cascade,
  -- Its place among all of the file, from 1.
  position integer not null,
  -- What it is, such as 'bookmark', 'post' or 'comment'.
  kind text not null,
  -- The file within an archive or a folder, else empty, and the line that it begins on, from 1.
  file text not null,
  line integer not null,
  -- As the file has it.
  title text not null,
  outcome text not null check (outcome in ('added', 'updated', 'skipped', 'refused')),
  -- Why it was skipped or refused: a code, and a sentence. Of an added post, who sees it.
  reason text,
  detail text,
  -- The record that was added, updated, or was there already: its id, or the name of what has no id.
  record_id integer,
  record_key text,
  -- A number that grows with every change of the record, as it was after the import.
  record_version integer,
  -- What an updated bookmark was before: a JSON object with title, url and description.
  before text,
  -- Of a bookmark, as the file has them: the address, the tags and the date (null where it has none), and the folder names from
  -- the outermost in, a JSON array. Null for other records, and for what of an archive could not be read as a bookmark.
  raw_url text,
  raw_tags text,
  raw_date text,
  folders text,
  primary key (import_id, position)
) strict, without rowid;

create index import_rows_by_record on import_rows (record_id);

-- The search index -------------------------------------------------------------------------------------------------------
--
-- Derived from the records: it can be dropped at any time, and is made again. Writers keep an entry for each record in the
-- transaction of the record. Names begin with `search_`.

create table search_bookmarks (
  -- Milliseconds since 1970 * 2^21 + id modulo 2^21, so that the full-text table, whose rowid it is, reads newest first.
  key integer primary key,
  id integer not null unique,
  created_at integer not null,
  -- The first 16 characters, to sort by: few titles begin with the same.
  title text not null,
  -- A hash of the key of the page.
  page text not null,
  -- The host, without `www.`.
  host text not null,
  -- The version of the index that wrote the words; 0 if they wait for the job that indexes them.
  version integer not null
) strict;

create index search_bookmarks_by_version on search_bookmarks (version, created_at desc);
create index search_bookmarks_by_title on search_bookmarks (title);
create index search_bookmarks_by_page on search_bookmarks (page);

-- Fed with tokens that are separated by spaces. Heads are the words of the tags and the host; marks are tokens for tags,
-- hosts and days.
create virtual table search_bookmarks_words using fts5 (
  title, heads, url, body, marks,
  content = '', contentless_delete = 1, prefix = '2', tokenize = "ascii tokenchars '#%+-./=@_~:'"
);

-- The tags of each bookmark, by their keys.
create table search_bookmarks_tags (
  tag_key text not null,
  created_at integer not null,
  record_id integer not null,
  -- As written there; null where that is the key.
  name text,
  primary key (tag_key, created_at, record_id)
) strict, without rowid;

create index search_bookmarks_tags_by_record on search_bookmarks_tags (record_id);

-- How many bookmarks have a tag, and how many have it or one below it: the sums of the slots, as of counters.
create table search_bookmarks_tag_counts (
  tag_key text not null,
  slot integer not null,
  records integer not null,
  with_below integer not null,
  primary key (tag_key, slot)
) strict, without rowid;

-- How many bookmarks write a tag in which way.
create table search_bookmarks_tag_names (
  tag_key text not null,
  name text not null,
  slot integer not null,
  records integer not null,
  primary key (tag_key, name, slot)
) strict, without rowid;

-- How many bookmarks a host has.
create table search_bookmarks_sites (
  host text not null,
  slot integer not null,
  records integer not null,
  primary key (host, slot)
) strict, without rowid;

-- As of bookmarks.
create table search_posts (
  key integer primary key,
  id integer not null unique,
  created_at integer not null,
  title text not null,
  page text not null,
  host text not null,
  version integer not null
) strict;

create index search_posts_by_version on search_posts (version, created_at desc);
create index search_posts_by_title on search_posts (title);

-- With the comments of a post among its words.
create virtual table search_posts_words using fts5 (
  title, heads, author, body, marks,
  content = '', contentless_delete = 1, prefix = '2', tokenize = "ascii tokenchars '#%+-./=@_~:'"
);

-- The words of the copies that are read. A bookmark without a copy has no row.
create table search_copies (
  -- As of the bookmark in search_bookmarks, so that both are read in one order.
  key integer primary key,
  -- Of the bookmark.
  id integer not null unique,
  copy_id integer not null,
  version integer not null
) strict;

create index search_copies_by_version on search_copies (version);

create virtual table search_copies_words using fts5 (
  body,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '#%+-./=@_~:'"
);
