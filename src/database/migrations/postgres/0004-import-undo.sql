-- When what an import brought was taken back; null while it stands.
alter table imports add column undone_at timestamptz(3);
