import { expect, test } from "bun:test";
import { openBeside } from "../../support/databases/database.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, create } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

/** Another version. */
const OTHER = "0.0.9+28";

describeContract("A database that servers of two versions have written", (service) => {
  test("has exact totals again once a server of this version has started", async () => {
    const url = await service.createDatabase();
    const app = await service.startApp({ DATABASE_URL: url });
    for (let count = 0; count < 3; count++) await create(app.request);
    const beside = await openBeside(url);
    // What a version that does not know the counter leaves, which was the last to start.
    await beside.write((sql) => sql`delete from counters where name = 'bookmarks:total'`);
    await setWriter(beside, OTHER);

    const send = sendTo((await service.serveAnother({ DATABASE_URL: url })).url);
    await until("the totals are right", async () => {
      const page = await send(`${COLLECTION}?limit=1`);
      return page.headers.get("x-total-count") === "3";
    });
    await until("it is recorded", async () => (await writerOf(beside)) !== OTHER);
    await beside.close();
  });

  test("is counted again also when the older server ends after the newer one has started", async () => {
    const url = await service.createDatabase();
    const older = await service.startAnother({ DATABASE_URL: url });
    const beside = await openBeside(url);
    const ours = await writerOf(beside);
    // From here on, the running server is the older one.
    await setWriter(beside, "99.0.0+999");
    await older.stop();
    expect(await writerOf(beside)).toBeUndefined();
    await service.serveAnother({ DATABASE_URL: url });
    await until("it is recorded", async () => (await writerOf(beside)) === ours);
    await beside.close();
  });
});

type Beside = Awaited<ReturnType<typeof openBeside>>;

async function setWriter(database: Beside, program: string): Promise<void> {
  await database.write((sql) => sql`update meta set value = ${program} where name = 'written_by'`);
}

async function writerOf(database: Beside): Promise<string | undefined> {
  const [row] = await database.read<{ value: string }>`select value from meta where name = 'written_by'`;
  return row?.value;
}
