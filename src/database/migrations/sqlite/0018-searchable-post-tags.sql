-- Posts are found by their tags.
create trigger search_post_tag_inserted after insert on post_tags begin
  insert into search_pending (collection, record_id) values ('posts', new.post_id);
end;
create trigger search_post_tag_updated after update on post_tags begin
  insert into search_pending (collection, record_id) values ('posts', new.post_id);
end;
create trigger search_post_tag_deleted after delete on post_tags begin
  insert into search_pending (collection, record_id) values ('posts', old.post_id);
end;
