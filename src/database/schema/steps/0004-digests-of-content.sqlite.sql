-- A digest of what people have written, so that a bit that changed on the disk is noticed; null, until a row is written again.
alter table bookmarks add column digest integer;

alter table posts add column digest integer;

alter table comments add column digest integer;

alter table media_forms add column digest integer;
