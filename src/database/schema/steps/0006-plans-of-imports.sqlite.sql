-- The plan of an import is stored with its records.
create temporary table import_pieces_before as select * from import_pieces;

drop table import_pieces;

create table import_pieces (
  key text not null references import_uploads (key) on delete cascade,
  part text not null check (part in ('file', 'records', 'preview', 'report', 'pictures')),
  number integer not null,
  bytes blob not null,
  primary key (key, part, number)
) strict, without rowid;

insert into import_pieces (key, part, number, bytes) select key, part, number, bytes from import_pieces_before;

drop table import_pieces_before;
