import { test } from "bun:test";
import { createDatabase, sharedCluster } from "../databases/postgres.ts";
import { launchBrowser } from "../pages/browser.ts";
import { startServer, temporaryFolder } from "../server/server.ts";

/** What `ended-runs.test.ts` ends: one of each kind of process, and a test that waits for ever. */
test.skipIf(process.env.TEST_NEVER_ENDS === undefined)("never ends", async () => {
  using folder = temporaryFolder();
  await startServer({ DATABASE_URL: `sqlite:${folder.file("test.db")}` });
  await createDatabase(await sharedCluster());
  await launchBrowser();
  console.log("All have started.");
  if (process.env.TEST_NEVER_ENDS === "computes") for (;;);
  await new Promise(() => {});
});
