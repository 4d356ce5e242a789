-- A change keeps the token by which an agent made it. Records that a change added are recorded, too.
alter table changes add column token_id bigint;

alter table changes add column token_name text;

create index changes_by_token on changes (token_id, created_at) where token_id is not null;

alter table change_rows drop constraint change_rows_outcome_check;

alter table change_rows add constraint change_rows_outcome_check check (outcome in ('added', 'updated', 'deleted'));

alter table change_rows add column stamp text;
