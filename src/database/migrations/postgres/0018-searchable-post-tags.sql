-- Posts are found by their tags. The function marks the post of a row that has a post_id.
create trigger search_post_tag_changed after insert or delete or update on post_tags
  for each row execute function search_mark_commented();
