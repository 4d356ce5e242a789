-- What comes along from a database of commit 73274df2, on both engines: into the tables of the schema, parents first,
-- from those of the earlier database (`old`). New columns are not named. The search index is made again.

insert into meta (name, value)
  select name, value from old.meta where name not in ('oldest_program', 'schema', 'written_by');

insert into counters (name, slot, n)
  select name, slot, n from old.counters;

insert into idempotency_keys (caller, path, key, body_sha256, status, location, body, created_at)
  select caller, path, key, body_sha256, status, location, body, created_at from old.idempotency_keys;

insert into jobs (id, kind, key, payload, requests, run_at, attempts, last_error, lease, leased_until, created_at)
  select id, case when kind in ('import', 'blog-import') then 'read-import' else kind end, key, payload, requests, run_at,
    attempts, last_error, lease, leased_until, created_at
  from old.jobs where kind <> 'read-upload';

insert into accounts (id, username, username_key, password_hash, created_at, updated_at, disabled_at)
  select id, username, username_key, password_hash, created_at, updated_at, disabled_at from old.accounts;

insert into sessions (key_sha256, account_id, user_agent, created_at, last_seen_at)
  select key_sha256, account_id, user_agent, created_at, last_seen_at from old.sessions;

insert into sign_in_failures (subject, failures, last_failed_at)
  select subject, failures, last_failed_at from old.sign_in_failures;

insert into tokens (id, account_id, name, secret_sha256, scopes, client_id, created_at, expires_at, last_used_at)
  select id, account_id, name, secret_sha256, scopes, client_id, created_at, expires_at, last_used_at from old.tokens;

insert into authorization_codes (code_key_sha256, account_id, client_id, redirect_uri, challenge, scopes, created_at,
    expires_at, used_at, given_token_id)
  select code_key_sha256, account_id, client_id, redirect_uri, challenge, scopes, created_at, expires_at, used_at,
    given_token_id from old.authorization_codes;

-- Keys that let in without signing in are one table, with new ids. They belong to an account by now: those without one end
-- here, and all links to previews.
insert into keys (kind, account_id, secret_sha256, name, target, with_notes, created_at, last_used_at)
  select 'website', account_id, key_sha256, name, '', false, created_at, last_used_at from old.content_keys order by id;

insert into keys (kind, account_id, secret_sha256, name, target, with_notes, created_at)
  select 'library-feed', created_by, key_sha256, '', query, false, created_at
  from old.feed_keys where created_by in (select id from old.accounts) order by id;

insert into keys (kind, account_id, secret_sha256, name, target, with_notes, created_at)
  select 'comment-feed', created_by, key_sha256, '', '', false, created_at from old.comment_feed_keys
  order by created_at;

insert into welcome_links (secret_sha256, created_at, expires_at)
  select secret_sha256, created_at, expires_at from old.welcome_links;

insert into site_settings (name, value, updated_at)
  select name, value, updated_at from old.site_settings;

-- From the first account on, the bookmarks are private until somebody chooses otherwise.
insert into site_settings (name, value, updated_at)
  select 'hadAccount', 'true', max(created_at) from old.accounts having count(*) > 0;

insert into themes (hash, css, created_at)
  select hash, css, created_at from old.themes;

insert into bookmarks (id, title, url, description, created_at, updated_at, version, created_by)
  select id, title, url, description, created_at, updated_at, version, created_by from old.bookmarks;

insert into bookmark_states (bookmark_id, unread, archived, shared, updated_at)
  select bookmark_id, unread, archived, shared, updated_at from old.bookmark_states;

insert into tags (id, key, name, created_at)
  select id, key, name, created_at from old.tags;

insert into posts (id, title, published, created_at, updated_at, published_at, version, comments_version, created_by,
    kind, link, slug, summary, language, image, canonical_url, publish_at, publication_version, content)
  select p.id, p.title, p.published, p.created_at, p.updated_at, p.published_at, p.version, p.comments_version,
    p.created_by, coalesce(u.kind, 'post'), u.link, u.slug, u.summary, u.language, u.image, u.canonical_url,
    case when p.published then null else u.publish_at end, coalesce(u.version, 0), p.content
  from old.posts p left join old.publications u on u.post_id = p.id;

insert into former_slugs (slug, post_id)
  select slug, post_id from old.former_slugs;

insert into redirects (path, post_id)
  select path, post_id from old.redirects;

insert into post_tags (post_id, position, key, name)
  select post_id, position, key, name from old.post_tags;

insert into post_properties (post_id, properties)
  select post_id, properties from old.post_properties;

insert into post_versions (post_id, number, title, content, published, replaced_at, replaced_by)
  select post_id, number, title, content, published, replaced_at, replaced_by from old.post_versions;

insert into edits (key, post_id, base_version, title, content, fields, version, created_at, updated_at, created_by)
  select key, post_id, base_version, title, content, fields, version, created_at, updated_at, created_by
  from old.edits;

insert into comments (id, post_id, author, text, status, reasons, created_at, created_by)
  select id, post_id, author, text, status, reasons, created_at, created_by from old.comments;

insert into media (sha, type, width, height, size, created_at, created_by)
  select sha, type, width, height, size, created_at, created_by from old.media;

insert into media_forms (sha, width, bytes)
  select sha, width, bytes from old.media_forms;

insert into changes (id, key, record, kind, details, created_at, created_by, undone_at)
  select id, key, 'bookmark', kind, details, created_at, created_by, undone_at from old.undo_records;

insert into change_rows (change_id, record, record_id, outcome, version, before)
  select record_id, 'bookmark', bookmark_id, outcome, version, before from old.undo_rows;

-- An import that was asked for goes on where it was, once its file is read again. Other uploaded files end here.
insert into import_uploads (key, kind, file_name, state, rule, with_tags, import_id, records, imported, created_at,
    finished_at)
  select key, case when key like 'blog.%' then 'blog' else 'bookmarks' end, file_name,
    case when finished_at is null then 'uploaded' else 'done' end, rule, with_tags, import_id, total, done, created_at,
    finished_at
  from old.import_uploads where rule is not null;

insert into import_pieces (key, part, number, bytes)
  select key, 'file', 0, bytes from old.import_uploads where rule is not null and finished_at is null;

insert into imports (id, file_name, format, toolbar_folder, created_at, created_by, undone_at)
  select id, file_name, format, toolbar_folder, created_at, created_by, undone_at from old.imports;

insert into import_rows (import_id, position, kind, file, line, title, outcome, reason, record_id, record_version, before,
    raw_url, raw_tags, raw_date, folders)
  select import_id, position, 'bookmark', '', line, raw_title, outcome, reason, bookmark_id, bookmark_version, before, raw_url,
    raw_tags, raw_date, folders from old.import_rows;

insert into import_rows (import_id, position, kind, file, line, title, outcome, reason, detail, record_id, record_key,
    record_version)
  select import_id, position, kind, file, line, title, outcome, reason, detail, record_id, record_key, record_version
  from old.import_records;
