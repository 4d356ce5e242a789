-- Work that follows a request or comes again and again, such as the purge of expired records.
create table jobs (
  id bigint generated always as identity primary key,
  kind text collate "C" not null,
  -- A second request of the same kind and key is the same job, run once more if it is running.
  key text collate "C" not null,
  -- A JSON object.
  payload text not null,
  -- How often it was requested.
  requests bigint not null,
  -- It runs at this instant or later.
  run_at timestamptz(3) not null,
  -- Runs since it last succeeded.
  attempts integer not null,
  last_error text,
  -- Random; of the process that runs it. A lease that has run out frees the job for another process.
  lease text,
  leased_until timestamptz(3),
  created_at timestamptz(3) not null,
  unique (kind, key)
);

create index jobs_by_run_at on jobs (run_at);
