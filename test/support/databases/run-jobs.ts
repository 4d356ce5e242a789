import { jobKinds } from "../../../src/app/job-kinds.ts";
import { openOptionsFrom } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import { openDatabase } from "../../../src/database/open.ts";
import { JobRunner } from "../../../src/jobs/job-runner.ts";
import { Log } from "../../../src/log.ts";

/**
 * Runs the jobs of DATABASE_URL without the minute that a server waits at first, until SIGTERM or the end of
 * the process.
 */
const config = readConfig(process.env);
const database = await openDatabase(config.databaseUrl, openOptionsFrom(config));
const jobs = new JobRunner({
  database,
  kinds: jobKinds(config, database),
  log: new Log({ level: "warn", format: "json" }),
  times: { startAfter: 0 },
});
jobs.start();
process.on("SIGTERM", async () => {
  await jobs.stop(5_000);
  await database.close();
  process.exit(0);
});
