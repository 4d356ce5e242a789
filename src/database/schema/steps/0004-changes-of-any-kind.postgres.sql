-- Changes are of any kind of record: the kinds are those of the program.
alter table changes drop constraint changes_record_check;

alter table change_rows drop constraint change_rows_record_check;
