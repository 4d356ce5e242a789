-- How often the comments that a post shows have changed. A post's version counts changes of its own fields alone, so
-- that a comment does not refuse its author's save.
alter table posts add column comments_version integer not null default 0;

-- From here on kept in the transaction of each change.
insert into counters (name, slot, n) select 'bookmarks:total', 0, count(*) from bookmarks;
