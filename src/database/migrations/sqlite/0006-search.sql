-- Records whose entries in the search index have to follow. Triggers mark them, so that no write can forget to;
-- a record may be marked more than once.
create table search_pending (
  position integer primary key,
  collection text not null check (collection in ('bookmarks', 'posts')),
  record_id integer not null
) strict;

create trigger search_bookmark_inserted after insert on bookmarks begin
  insert into search_pending (collection, record_id) values ('bookmarks', new.id);
end;
create trigger search_bookmark_updated after update of title, url, description, created_at on bookmarks begin
  insert into search_pending (collection, record_id) values ('bookmarks', new.id);
end;
create trigger search_bookmark_deleted after delete on bookmarks begin
  insert into search_pending (collection, record_id) values ('bookmarks', old.id);
end;

create trigger search_post_inserted after insert on posts begin
  insert into search_pending (collection, record_id) values ('posts', new.id);
end;
create trigger search_post_updated after update of title, content, created_at, created_by on posts begin
  insert into search_pending (collection, record_id) values ('posts', new.id);
end;
create trigger search_post_deleted after delete on posts begin
  insert into search_pending (collection, record_id) values ('posts', old.id);
end;

-- Those who read a post read its comments with it.
create trigger search_comment_inserted after insert on comments begin
  insert into search_pending (collection, record_id) values ('posts', new.post_id);
end;
create trigger search_comment_updated after update of author, text, status on comments begin
  insert into search_pending (collection, record_id) values ('posts', new.post_id);
end;
create trigger search_comment_deleted after delete on comments begin
  insert into search_pending (collection, record_id) values ('posts', old.post_id);
end;

-- What the index knows of itself: the version that wrote it, and how far a rebuild has come.
create table search_state (
  name text primary key,
  value text not null
) strict, without rowid;
