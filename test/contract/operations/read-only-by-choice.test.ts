import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { openDatabase } from "../../../src/database/open.ts";
import { createDatabase, sharedCluster } from "../../support/databases/postgres.ts";
import { makeAccount, makeSession, makeToken } from "../../support/records/accounts.ts";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { Agent } from "../../support/requests/agent.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { engines } from "../../support/server/engines.ts";
import { run, startServer, temporaryFolder } from "../../support/server/server.ts";

const SENTENCE = "The server is read-only: READ_ONLY is on.";

test.each(engines.map((engine) => [engine.name, engine] as const))(
  "With READ_ONLY=on, a server on %s reads, refuses every write, and says so",
  async (_, engine) => {
    await using given = await engine.createDatabase();
    const database = await openDatabase(given.url);
    const ada = await makeAccount(database, "ada");
    const [token, cookie] = [await makeToken(database, ada), await makeSession(database, ada)];
    await database.close();
    const settings = { DATABASE_URL: given.url, BOOKMARKS_ACCESS: "private" };
    const as =
      (send: Send, headers: Record<string, string>): Send =>
      (path, init) =>
        send(path, { ...init, headers: { ...headers, ...init?.headers } });
    const writing = await startServer(settings);
    const writer = as(sendTo(writing.url), { authorization: `Bearer ${token}` });
    const first = await create(writer, { description: "#rivers" });
    const tags = await (await writer("/linkding/api/tags/")).json();
    expect(tags).toMatchObject({ results: [{ name: "rivers" }] });
    const json = { description: "#rivers #lakes" };
    const patched = await writer(pathOf(first), { method: "PATCH", json });
    const bookmark = (await patched.json()) as typeof first;
    await writing.stop();

    if (engine.name.startsWith("PostgreSQL")) {
      const reading = await openDatabase(given.url, { isReadOnly: true });
      const [row] = await reading.read<{ setting: string }>`
        select current_setting('default_transaction_read_only') as setting`;
      // The engine refuses what the server would let through by mistake.
      expect(row?.setting).toBe("on");
      await reading.close();
    }

    const server = await startServer({ ...settings, READ_ONLY: "on" });
    const stranger = sendTo(server.url);
    const program = as(stranger, { authorization: `Bearer ${token}` });
    const browser = as(stranger, { cookie });
    expect(server.lines.join("\n")).toContain(SENTENCE);
    expect(await list(program)).toEqual([bookmark]);
    expect(await (await stranger("/readyz")).json()).toEqual({ status: "ok", read_only: true });
    // Apps for linkding complete tags; one without an id gets none now.
    expect(await (await program("/linkding/api/tags/")).json()).toEqual(tags);
    // Before the credentials are looked at.
    for (const send of [program, stranger])
      for (const [path, init] of [
        [COLLECTION, { method: "POST", json: draft }],
        [pathOf(bookmark), { method: "PATCH", json: { title: "Changed" } }],
        [pathOf(bookmark), { method: "DELETE" }],
        ["/api/token/", { method: "POST", json: { username: "ada", password: "x" } }],
      ] as const) {
        const refused = await send(path, init);
        expect(refused.headers.get("retry-after")).toBe("30");
        expect((await expectProblem(refused, 503)).detail).toBe(SENTENCE);
      }
    const agent = new Agent(program);
    expect(await agent.use("search_links")).toMatchObject({ links: [{ id: bookmark.id }] });
    const archiving = await agent.message("tools/call", {
      name: "archive_links",
      arguments: { ids: [bookmark.id] },
    });
    expect([archiving.status, await archiving.json()]).toMatchObject([503, { error: { message: SENTENCE } }]);
    const page = await (await browser("/library")).text();
    expect(page).toContain(bookmark.title);
    expect(page).toContain("read-only");
    const form = { url: "https://kept.example/", title: "Typed words" };
    const saved = await submit(browser, "/library/new", form);
    expect(saved.status).toBe(503);
    expect(await saved.text()).toContain("Typed words");
    expect(await server.stop()).toBe(0);
    // No job and no stop has written or complained.
    expect(server.lines.join("\n")).not.toMatch(/error|cannot run/i);

    const again = await startServer(settings);
    const sendAgain = as(sendTo(again.url), { authorization: `Bearer ${token}` });
    expect(await list(sendAgain)).toEqual([bookmark]);
    expect(await (await sendTo(again.url)("/readyz")).json()).toEqual({ status: "ok" });
    await create(sendAgain);
    await again.stop();
  },
);

test("READ_ONLY=on makes neither a file nor tables", async () => {
  using folder = temporaryFolder();
  const file = folder.file("missing.db");
  await using empty = await createDatabase(await sharedCluster());
  for (const [url, says] of [
    [`sqlite:${file}`, /No database at/],
    [empty.url, /read-only and has no tables/],
  ] as const) {
    const { code, stderr } = await run(["serve"], { env: { DATABASE_URL: url, READ_ONLY: "on", PORT: "0" } });
    expect(code).toBe(1);
    expect(stderr).toMatch(says);
  }
  expect(existsSync(file)).toBe(false);
});
