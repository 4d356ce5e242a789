import { expect, test } from "bun:test";
import { openBeside } from "../../support/databases/database.ts";
import { nextOf } from "../../support/pages/pages.ts";
import { COLLECTION, create, draft, etagOf, pathOf } from "../../support/records/bookmarks.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("A database that was restored from a backup", (service) => {
  test("invalidates older tags and cursors", async () => {
    const DATABASE_URL = await service.createDatabase();
    const before = await service.startAnother({ DATABASE_URL });
    const sendBefore = sendTo(before.url);
    const bookmark = await create(sendBefore);
    const path = pathOf(await create(sendBefore));
    const etag = await etagOf(sendBefore, path);
    const listEtag = await etagOf(sendBefore, COLLECTION);
    const next = nextOf(await sendBefore(`${COLLECTION}?limit=1`)) ?? "";
    await before.stop();

    await renewEpoch(DATABASE_URL);
    const send = sendTo((await service.startAnother({ DATABASE_URL })).url);

    expect((await send(pathOf(bookmark))).status).toBe(200);
    expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(200);
    expect((await send(COLLECTION, { headers: { "if-none-match": listEtag } })).status).toBe(200);
    const change = { method: "PUT", headers: { "if-match": etag }, json: draft };
    await expectProblem(await send(path, change), 412);
    await expectErrors(await send(next), { parameter: "cursor", code: "bad_cursor" });
  });
});

/** What a restore does. */
async function renewEpoch(databaseUrl: string): Promise<void> {
  const database = await openBeside(databaseUrl);
  await database.write((sql) => sql`update meta set value = 'restored' where name = 'epoch'`);
  await database.close();
}
