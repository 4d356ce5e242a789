-- Marks in the pages of bookmarks.
create table marks (
  id integer primary key autoincrement,
  bookmark_id integer not null,
  quote text not null,
  prefix text not null,
  suffix text not null,
  position integer,
  note text not null,
  version integer not null,
  created_at integer not null,
  updated_at integer not null,
  created_by integer,
  digest integer not null
) strict;

create index marks_by_bookmark on marks (bookmark_id, id);
create index marks_by_age on marks (created_at, id);
