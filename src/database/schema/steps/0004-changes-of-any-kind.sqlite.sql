-- Changes are of any kind of record: the kinds are those of the program. The constraints that named them go, so the tables are made again.
create temporary table changes_before as select * from changes;

create temporary table change_rows_before as select * from change_rows;

drop table change_rows;

drop table changes;

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
  undone_at integer
) strict;

create index changes_by_age on changes (created_at);

create table change_rows (
  change_id integer not null references changes (id) on delete cascade,
  record text not null,
  -- Its id; of a version, its number. No foreign key: the record may be gone.
  record_id integer not null,
  outcome text not null check (outcome in ('updated', 'deleted')),
  -- The record's version after the change; of a deleted one, its last. That of a comment is its status, from 0.
  version integer not null,
  -- What it was before: a JSON object with the members that the change replaced, all of a deleted one.
  before text not null,
  primary key (change_id, record, record_id)
) strict;

create index change_rows_by_record on change_rows (record, record_id);

insert into changes (id, key, record, kind, details, created_at, created_by, undone_at)
select id, key, record, kind, details, created_at, created_by, undone_at from changes_before order by id;

insert into change_rows (change_id, record, record_id, outcome, version, before)
select change_id, record, record_id, outcome, version, before from change_rows_before;

drop table changes_before;

drop table change_rows_before;
