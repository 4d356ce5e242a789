-- An import of a large file runs in the background: how it was asked for, how far it is, and what it came to.
-- What happens to links that are there already; null until the import is asked for.
alter table import_uploads add column rule text;
-- Whether tags and folders become tags.
alter table import_uploads add column with_tags boolean;
-- The import that it becomes.
alter table import_uploads add column import_id bigint;
-- How many rows the file has, and how many of them are imported.
alter table import_uploads add column total bigint;
alter table import_uploads add column done bigint;
alter table import_uploads add column finished_at timestamptz(3);
