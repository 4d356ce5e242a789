-- The folder of the browser's toolbar that an imported file marks, a JSON array of names from the outermost in, so that
-- exports mark it too; null where the file marks none.
alter table imports add column toolbar_folder text;
