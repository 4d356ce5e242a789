-- The plan of an import is stored with its records.
alter table import_pieces drop constraint import_pieces_part_check;

alter table import_pieces add constraint import_pieces_part_check
  check (part in ('file', 'records', 'preview', 'report', 'pictures'));
