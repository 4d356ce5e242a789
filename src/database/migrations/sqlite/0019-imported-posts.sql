-- Paths that posts had on another site: requests for them are redirected to the post.
create table redirects (
  -- Percent-decoded and without the slash at its end; of `/?p=12` the parameter belongs to it.
  path text primary key,
  post_id integer not null references posts (id) on delete cascade
) strict;

create index redirects_by_post on redirects (post_id);

-- What became of each record of an import of posts or of an archive. Bookmarks are in import_rows.
create table import_records (
  import_id integer not null references imports (id) on delete cascade,
  -- The record's place among all of the import, from 1.
  position integer not null,
  -- What it is, such as 'post' or 'comment'.
  kind text not null,
  -- The file within the archive or folder, and the line that the record begins on, from 1.
  file text not null,
  line integer not null,
  title text not null,
  outcome text not null check (outcome in ('added', 'skipped', 'refused')),
  -- Why it was skipped or refused: a code, and a sentence.
  reason text,
  detail text,
  -- The record that was added, or was there already: its id, or the name of what has no id.
  record_id integer,
  record_key text,
  -- A number that grows with every change of the record, as it was after the import.
  record_version integer,
  primary key (import_id, position)
) strict, without rowid;

create index import_records_by_record on import_records (kind, record_id);
