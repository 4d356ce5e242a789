-- Work that follows a request or comes again and again, such as the purge of expired records.
create table jobs (
  id integer primary key autoincrement,
  kind text not null,
  -- A second request of the same kind and key is the same job, run once more if it is running.
  key text not null,
  -- A JSON object.
  payload text not null,
  -- How often it was requested.
  requests integer not null,
  -- It runs at this instant or later.
  run_at integer not null,
  -- Runs since it last succeeded.
  attempts integer not null,
  last_error text,
  -- Random; of the process that runs it. A lease that has run out frees the job for another process.
  lease text,
  leased_until integer,
  created_at integer not null,
  unique (kind, key)
) strict;

create index jobs_by_run_at on jobs (run_at);
