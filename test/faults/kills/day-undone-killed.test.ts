import { expect, test } from "bun:test";
import { openBeside } from "../../support/databases/database.ts";
import { until } from "../../support/machine/until.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { makeAgent } from "../../support/records/agents.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

const LINKS = 300;
/** Every so manieth link is changed by a person since. */
const TOUCHED = 50;

// Several server processes are killed in killed.test.ts.
describeApp("The undo of what an agent did on a day, when it is killed", (service) => {
  test("has undone each change whole or not at all, and goes on where it stopped, with the same answer", async () => {
    const databaseUrl = await service.createDatabase();
    const first = await service.startAnother({ DATABASE_URL: databaseUrl });
    const database = await openBeside(databaseUrl);
    const account = await makeAccount(database, "ada");
    const key = await makeToken(database, account);
    const at = new Date(new Date().setUTCHours(-12, 0, 0, 0));
    const agent = await makeAgent(database, account, { clock: { now: () => at } });
    const ids: number[] = [];
    for (let index = 0; index < LINKS; index++) {
      const id = await agent.add(`A ${index}`, `https://example.com/${index}`);
      await agent.edit(id, `B ${index}`);
      ids.push(id);
    }
    const touched = ids.filter((_, index) => index % TOUCHED === 0);
    for (const id of touched) {
      const answer = await withToken(sendTo(first.url), key)(`/bookmarks/${id}`, {
        ...{ method: "PATCH", json: { title: "by a person" } },
      });
      expect(answer.status).toBe(200);
    }
    const left = async () => {
      const [row] = await database.read<{ n: number }>`select count(*) as n from bookmarks`;
      return Number(row?.n);
    };
    const undo = async (url: string) => {
      const json = { token: agent.tokenId, day: at.toISOString().slice(0, 10) };
      const answer = await withToken(sendTo(url), key)("/api/undo/day/", { method: "POST", json });
      return (await answer.json()) as { undone: number; kept: { id: number; why: string }[] };
    };

    const undoing = undo(first.url).catch(() => undefined);
    await until("some links are taken back", async () => (await left()) < LINKS - 20);
    await first.kill();
    await undoing;
    const second = await service.startAnother({ DATABASE_URL: databaseUrl });
    expect(await left()).toBeGreaterThan(touched.length);
    // A link as the agent added it, or as it edited it; what stands is recorded, what is undone is not.
    const rows = await database.read<{ title: string; n: number }>`
      select title, (select count(*) from change_rows where record = 'bookmark' and record_id = bookmarks.id
        and outcome <> 'deleted') as n from bookmarks`;
    for (const { title, n } of rows) expect(Number(n)).toBe(title.startsWith("A ") ? 1 : 2);

    const { kept } = await undo(second.url);
    expect(kept.map(({ id, why }) => ({ id, why })).toSorted((a, b) => a.id - b.id)).toEqual(
      touched.map((id) => ({ id, why: "changed" })),
    );
    expect(await left()).toBe(touched.length);
    expect(await undo(second.url)).toEqual({ undone: 0, kept });
    await database.close();
  });
});
