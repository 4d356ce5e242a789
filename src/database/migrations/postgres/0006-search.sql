-- Records whose entries in the search index have to follow. Triggers mark them, so that no write can forget to;
-- a record may be marked more than once.
create table search_pending (
  position bigint generated always as identity primary key,
  collection text collate "C" not null check (collection in ('bookmarks', 'posts')),
  record_id bigint not null
);

create function search_mark_inserted() returns trigger language plpgsql as $$
begin
  insert into search_pending (collection, record_id) select tg_argv[0], id from inserted;
  return null;
end $$;

create function search_mark_changed() returns trigger language plpgsql as $$
begin
  insert into search_pending (collection, record_id) values (tg_argv[0], coalesce(new.id, old.id));
  return null;
end $$;

create function search_mark_commented() returns trigger language plpgsql as $$
begin
  insert into search_pending (collection, record_id) values ('posts', coalesce(new.post_id, old.post_id));
  return null;
end $$;

-- Bookmarks arrive by the thousand: once a statement, not once a row.
create trigger search_bookmark_inserted after insert on bookmarks referencing new table as inserted
  for each statement execute function search_mark_inserted('bookmarks');
create trigger search_bookmark_updated after update of title, url, description, created_at on bookmarks
  for each row execute function search_mark_changed('bookmarks');
create trigger search_bookmark_deleted after delete on bookmarks
  for each row execute function search_mark_changed('bookmarks');

create trigger search_post_inserted after insert on posts referencing new table as inserted
  for each statement execute function search_mark_inserted('posts');
create trigger search_post_updated after update of title, content, created_at, created_by on posts
  for each row execute function search_mark_changed('posts');
create trigger search_post_deleted after delete on posts
  for each row execute function search_mark_changed('posts');

-- Those who read a post read its comments with it.
create trigger search_comment_changed after insert or delete or update of author, text, status on comments
  for each row execute function search_mark_commented();

-- What the index knows of itself: the version that wrote it, and how far a rebuild has come.
create table search_state (
  name text collate "C" primary key,
  value text not null
);
