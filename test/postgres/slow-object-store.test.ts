import { expect, test } from "bun:test";
import { openDatabase } from "../../src/database/open.ts";
import { createDatabase, sharedCluster } from "../support/databases/postgres.ts";
import { makeImage } from "../support/files/images.ts";
import { useRealTimeLimits } from "../support/given/real-time-limits.ts";
import { makeAccount, makeToken, withToken } from "../support/records/accounts.ts";
import { sendTo } from "../support/requests/send.ts";
import { S3Server } from "../support/server/s3-server.ts";
import { run, startServer, temporaryFolder } from "../support/server/server.ts";

useRealTimeLimits();

test("An archive is exported from an object store that takes longer for an image than the time limit of a snapshot", async () => {
  await using toEnd = new AsyncDisposableStack();
  const folder = toEnd.use(temporaryFolder());
  const store = toEnd.use(await S3Server.start());
  const { url } = toEnd.use(await createDatabase(await sharedCluster()));
  const env = { DATABASE_URL: url, ...store.settings() };
  const server = await startServer(env);
  toEnd.defer(() => server.kill());
  const database = toEnd.adopt(await openDatabase(url), (opened) => opened.close());
  const account = await makeAccount(database, "ada", "a password of some length");
  const send = withToken(sendTo(server.url), await makeToken(database, account));
  const body = new FormData();
  body.set("file", new File([(await makeImage("png")) as Uint8Array<ArrayBuffer>], "image"));
  expect((await send("/api/media/", { method: "POST", body })).status).toBe(201);

  // The time limit is two seconds.
  store.delay = 2_500;
  expect(await run(["export", folder.file("site.zip"), "--format", "archive"], { env })).toMatchObject({
    code: 0,
    stderr: "",
  });
});
