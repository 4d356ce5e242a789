-- A shared list that a token made ends when that is revoked. Who made the lists of before is unknown: they stay.
alter table keys add column token_id bigint;

alter table keys add column token_name text;
