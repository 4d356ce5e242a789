import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openDatabase } from "../../../src/database/open.ts";
import { type SmallDisk, smallDisks } from "../../support/databases/small-disk.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { sendTo } from "../../support/requests/send.ts";
import { run, startServer } from "../../support/server/server.ts";

const MEBIBYTE = 1024 * 1024;
/** Enough that room is set aside. */
const SIZE = 48 * MEBIBYTE;
const PASSWORD = "slow fruit keeps";

// A limit on the size of files leaves the disk its room.
const kinds = smallDisks.filter(({ name }) => name === "a small file system");

describe.each(kinds)("On $name", (kind) => {
  test("that is full, records are deleted and people sign in from room set aside; after a kill it starts", async () => {
    using disk = kind.make(SIZE);
    const databaseUrl = `sqlite:${join(disk.path, "test.db")}`;
    const database = await openDatabase(databaseUrl);
    const token = await makeToken(database, await makeAccount(database, "ada", PASSWORD));
    await database.close();
    const settings = { DATABASE_URL: databaseUrl, BOOKMARKS_ACCESS: "private" };
    const server = await startServer(settings);
    const send = withToken(sendTo(server.url), token);
    const kept = [await create(send), await create(send), await create(send)];
    fill(disk);
    await fillDatabase(send);
    for (const init of [
      { method: "POST", json: draft },
      { method: "PATCH", json: { title: "Changed" } },
    ]) {
      const response = await send(init.method === "POST" ? COLLECTION : pathOf(kept[0] ?? fail()), init);
      expect(await response.clone().json()).toMatchObject({ detail: "The disk is full." });
      await expectProblem(response, 507);
    }
    const [first, second, third] = kept;
    expect((await send(pathOf(first ?? fail()), { method: "DELETE" })).status).toBe(204);
    const signIn = () =>
      sendTo(server.url)("/api/token/", { method: "POST", json: { username: "ada", password: PASSWORD } });
    expect((await signIn()).status).toBe(200);
    // What the reserve has freed is not for others.
    await expectProblem(await send(COLLECTION, { method: "POST", json: draft }), 507);
    expect((await send(pathOf(second ?? fail()), { method: "DELETE" })).status).toBe(204);

    await server.kill();
    const again = await startServer(settings);
    const sendAgain = withToken(sendTo(again.url), token);
    expect((await list(sendAgain)).map(({ id }) => id)).toContain(third?.id ?? 0);
    disk.enlarge(2 * SIZE, again.pid);
    await create(sendAgain);
    expect(await again.stop()).toBe(0);
  });

  test.each(["with the room set aside", "without any room"])(
    "that is full, a killed server starts %s",
    async (what) => {
      using disk = kind.make(SIZE);
      const path = join(disk.path, "test.db");
      const settings = { DATABASE_URL: `sqlite:${path}` };
      const server = await startServer(settings);
      const send = sendTo(server.url);
      const kept = await create(send);
      if (what === "without any room") rmSync(`${path}-reserve`);
      fill(disk);
      await fillDatabase(send);
      await server.kill();
      fill(disk);
      const again = await startServer(settings);
      const sendAgain = sendTo(again.url);
      expect((await list(sendAgain)).map(({ id }) => id)).toContain(kept.id);
      await expectProblem(await sendAgain(COLLECTION, { method: "POST", json: draft }), 507);
      const removed = await sendAgain(pathOf(kept), { method: "DELETE" });
      expect(removed.status).toBe(what === "without any room" ? 507 : 204);
      disk.enlarge(2 * SIZE, again.pid);
      if (what === "with the room set aside") await create(sendAgain);
      expect(await again.stop()).toBe(0);
      const last = await startServer(settings);
      await create(sendTo(last.url));
      expect(await last.stop()).toBe(0);
    },
  );

  test.each(["stopped", "killed"])(
    "that is read-only, a server that was %s starts and says so",
    async (how) => {
      using disk = kind.make(SIZE);
      const databaseUrl = `sqlite:${join(disk.path, "test.db")}`;
      const database = await openDatabase(databaseUrl);
      const token = await makeToken(database, await makeAccount(database, "ada", PASSWORD));
      await database.close();
      const settings = { DATABASE_URL: databaseUrl, BOOKMARKS_ACCESS: "private" };
      const before = await startServer(settings);
      const sendBefore = withToken(sendTo(before.url), token);
      const made = await create(sendBefore);
      const write = async (title: string, published: boolean) => {
        const path = published ? "/api/posts/" : "/api/drafts/";
        const json = { title, content: "Words.", published };
        return (await (await sendBefore(path, { method: "POST", json })).json()) as { id: number };
      };
      await write("Public", true);
      const { id } = await write("Due", false);
      const json = { publish_at: "2031-01-01T09:00:00Z" };
      const scheduled = await sendBefore(`/api/drafts/${id}/publication/`, { method: "PATCH", json });
      expect(scheduled.status).toBe(200);
      await (how === "killed" ? before.kill() : before.stop());
      if (how === "stopped") {
        // A post that is due, which nobody can publish now.
        const file = new DatabaseSync(join(disk.path, "test.db"));
        file.exec("update posts set publish_at = 1 where publish_at is not null");
        file.close();
      }
      remount(disk, "ro");
      const server = await startServer(settings);
      const send = withToken(sendTo(server.url), token);
      expect(await list(send)).toEqual([made]);
      expect((await send(`${COLLECTION}?q=${draft.title}`)).status).toBe(200);
      for (const path of [
        "/readyz",
        "/",
        "/posts/public",
        "/feed.atom",
        "/archive",
        "/api/posts/",
        "/library",
      ])
        expect([path, (await send(path)).status]).toEqual([path, path === "/library" ? 303 : 200]);
      for (const [target, method] of [
        [COLLECTION, "POST"],
        [pathOf(made), "DELETE"],
        ["/api/token/", "POST"],
      ] as const) {
        const response = await send(target, { method, ...(method === "POST" && { json: draft }) });
        expect(response.headers.get("retry-after")).toBe("30");
        expect(await response.clone().json()).toMatchObject({
          detail: "The server is read-only: its file system cannot be written to.",
        });
        await expectProblem(response, 503);
      }
      expect((await sendTo(server.url)("/sign-in")).status).toBe(200);
      // What is there can still be taken elsewhere.
      const env = { DATABASE_URL: databaseUrl };
      const exported = await run(["export", "-"], { env });
      expect(exported.stdout).toContain(made.url);
      const refused = await run(["add", "https://example.com/more"], { env });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("The server is read-only")]);
      expect(await server.stop()).toBe(0);
      remount(disk, "rw");
      const again = await startServer(settings);
      await create(withToken(sendTo(again.url), token));
      expect(await again.stop()).toBe(0);
    },
  );
});

/** Takes all room that is left on a disk. */
function fill(disk: SmallDisk): void {
  const chunk = new Uint8Array(64 * 1024);
  for (let number = 0; ; number++)
    try {
      writeFileSync(join(disk.path, `other-${number}`), chunk);
    } catch {
      return;
    }
}

/** Creates bookmarks until there is no room for them. */
async function fillDatabase(send: ReturnType<typeof sendTo>): Promise<void> {
  for (let made = 0; made < 1_000; made++) {
    const json = { ...draft, description: "x".repeat(20_000) };
    const response = await send(COLLECTION, { method: "POST", json });
    if (response.status === 507) return;
    expect(response.status).toBe(201);
  }
  throw new Error("The disk was not filled.");
}

function remount(disk: SmallDisk, mode: "ro" | "rw"): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", "-o", `remount,${mode}`, disk.path], {
    stderr: "pipe",
  });
  if (exitCode !== 0) throw new Error(String(stderr));
}

function fail(): never {
  throw new Error("There is no such record.");
}
