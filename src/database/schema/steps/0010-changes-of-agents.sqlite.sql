-- A change keeps the token by which an agent made it. Records that a change added are recorded, too: the table of rows is made again.
alter table changes add column token_id integer;

alter table changes add column token_name text;

create index changes_by_token on changes (token_id, created_at) where token_id is not null;

create temporary table change_rows_before as select * from change_rows;

drop table change_rows;

create table change_rows (
  change_id integer not null references changes (id) on delete cascade,
  record text not null,
  record_id integer not null,
  outcome text not null check (outcome in ('added', 'updated', 'deleted')),
  version integer not null,
  before text not null,
  stamp text,
  primary key (change_id, record, record_id)
) strict;

create index change_rows_by_record on change_rows (record, record_id);

insert into change_rows (change_id, record, record_id, outcome, version, before)
select change_id, record, record_id, outcome, version, before from change_rows_before;

drop table change_rows_before;
