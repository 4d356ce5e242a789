import { describe, expect, test } from "bun:test";
import { openBeside } from "../../support/databases/database.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { bookmarkIn, COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { type SendInit, sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

const HOUR = 60 * 60 * 1000;

describeContract("Idempotency-Key", (service) => {
  test("is refused where a response has a secret, and ignored when signing in", async () => {
    const { database, request } = await service.startApp();
    const scopes = ["account", "bookmarks:read", "bookmarks:write", "posts:read", "posts:write"] as const;
    const ada = await makeAccount(database, "ada");
    const program = withToken(request, await makeToken(database, ada, { scopes: [...scopes] }));
    const headers = { "idempotency-key": newKey() };
    const edit = `/api/edits/${crypto.randomUUID()}/`;
    await program(edit, { method: "PUT", json: { title: "A", content: "" } });
    const browser = withHeaders(request, {
      cookie: await makeSession(database, ada),
      "sec-fetch-site": "same-origin",
    });
    for (const [send, path, json] of [
      [program, "/api/tokens/", { name: "backup", scopes: ["account"] }],
      [program, "/api/shares/", { q: "#a", title: "A" }],
      [browser, `${edit}previews/`, undefined],
    ] as const) {
      const { detail } = await expectProblem(await send(path, { method: "POST", json, headers }), 400);
      expect([path, detail]).toEqual([path, expect.stringContaining("secret")]);
      expect([path, (await send(path, { method: "POST", json })).status]).toEqual([path, 201]);
    }
    const { status } = await request("/api/token/", {
      ...{ method: "POST", headers },
      json: { username: "grace", password: "not the password" },
    });
    expect(status).toBe(401);
  });

  const post = (key: string, init: SendInit = { json: draft }, send = service.send) =>
    send(COLLECTION, { method: "POST", ...init, headers: { ...init.headers, "idempotency-key": key } });

  test("replays the first response to a repeated POST, without a second record", async () => {
    const key = newKey();
    const first = await post(key);
    const second = await post(key);
    expect(first.status).toBe(201);
    expect(first.headers.has("idempotency-replayed")).toBeFalse();
    expect(second.status).toBe(201);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    for (const name of ["location", "content-type", "cache-control"]) {
      expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
    }
    const bookmark = await bookmarkIn(first);
    expect(await second.text()).toBe(JSON.stringify(bookmark));
    expect((await list(service.send)).filter(({ id }) => id >= bookmark.id)).toEqual([bookmark]);
  });

  test("creates one record for many simultaneous POSTs", async () => {
    const key = newKey();
    const responses = await Promise.all(Array.from({ length: 16 }, () => post(key)));
    const bodies = new Set(await Promise.all(responses.map((response) => response.text())));
    expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(201));
    expect(bodies.size).toBe(1);
    const replayed = responses.filter(({ headers }) => headers.get("idempotency-replayed") === "true");
    expect(replayed).toHaveLength(15);
  });

  test("replays the first response even when the record has changed or was deleted", async () => {
    const key = newKey();
    const first = await post(key);
    const bookmark = await bookmarkIn(first);
    await service.send(pathOf(bookmark), { method: "PATCH", json: { title: "Changed" } });
    expect(await bookmarkIn(await post(key))).toEqual(bookmark);
    await service.send(pathOf(bookmark), { method: "DELETE" });
    expect(await bookmarkIn(await post(key))).toEqual(bookmark);
    await expectProblem(await service.send(pathOf(bookmark)), 404);
  });

  test("with another body is 422, even if only the spelling differs", async () => {
    const key = newKey();
    const first = await bookmarkIn(await post(key));
    const headers = { "content-type": "application/json" };
    for (const body of [JSON.stringify({ ...draft, title: "Other" }), ` ${JSON.stringify(draft)}`]) {
      const response = await post(key, { headers, body });
      await expectErrors(response, { parameter: "Idempotency-Key", code: "key_reused" });
    }
    expect((await list(service.send)).filter(({ id }) => id > first.id)).toEqual([]);
  });

  test("can be used again after a failed attempt", async () => {
    const key = newKey();
    await expectProblem(await post(key, { json: { ...draft, url: "ftp://example.com/" } }), 422);
    await expectProblem(await post(key, { json: draft, headers: { "if-none-match": "*" } }), 412);
    const response = await post(key);
    expect(response.status).toBe(201);
    expect(response.headers.has("idempotency-replayed")).toBeFalse();
  });

  test("does not affect POSTs with other keys, or without one", async () => {
    const ids = new Set<number>();
    for (const key of [newKey(), newKey()]) ids.add((await bookmarkIn(await post(key))).id);
    for (let index = 0; index < 2; index++) ids.add((await create(service.send)).id);
    expect(ids.size).toBe(4);
  });

  test("is ignored by PUT, PATCH and DELETE", async () => {
    const bookmark = await create(service.send);
    const headers = { "idempotency-key": newKey() };
    for (const title of ["First", "Second"]) {
      const response = await service.send(pathOf(bookmark), { method: "PATCH", headers, json: { title } });
      expect(await bookmarkIn(response)).toMatchObject({ title });
    }
  });

  describe("that is", () => {
    const sane: Record<string, string> = {
      "one character": "~",
      "255 characters": newKey().padEnd(255, "x"),
      "every visible ASCII character": `${visibleAscii()}${newKey()}`,
    };
    for (const [description, key] of Object.entries(sane)) {
      test(`${description} is taken`, async () => {
        expect((await post(key)).status).toBe(201);
        expect((await post(key)).headers.get("idempotency-replayed")).toBe("true");
      });
    }

    const wrong: Record<string, string> = {
      empty: "",
      "256 characters": "x".repeat(256),
      "two words": "two words",
      "not ASCII": "schlüssel",
      "two keys": "one, other",
    };
    for (const [description, key] of Object.entries(wrong)) {
      test(`${description} is 400, and creates nothing`, async () => {
        const before = await list(service.send);
        await expectProblem(await post(key), 400);
        expect(await list(service.send)).toEqual(before);
      });
    }
  });

  test("is remembered when the server is killed and started again", async () => {
    const DATABASE_URL = await service.createDatabase();
    const before = await service.startAnother({ DATABASE_URL });
    const first = await post("remembered", { json: draft }, sendTo(before.url));
    await before.kill();
    const after = await service.startAnother({ DATABASE_URL });
    const second = await post("remembered", { json: draft }, sendTo(after.url));
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
  });

  test("is known to every process on the database", async () => {
    const other = await service.startAnother({ DATABASE_URL: service.databaseUrl });
    const key = newKey();
    const first = await post(key);
    const second = await post(key, { json: draft }, sendTo(other.url));
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await second.text()).toBe(await first.text());
  });

  test("is valid for 24 hours, and not longer", async () => {
    const younger = newKey();
    const older = newKey();
    const first = await bookmarkIn(await post(younger));
    await post(older);
    await age(service.databaseUrl, younger, 23.9 * HOUR);
    await age(service.databaseUrl, older, 24.1 * HOUR);
    expect(await bookmarkIn(await post(younger))).toEqual(first);
    const again = await post(older, { json: { ...draft, title: "Another" } });
    expect(again.status).toBe(201);
    expect(again.headers.has("idempotency-replayed")).toBeFalse();
    expect((await bookmarkIn(again)).id).toBeGreaterThan(first.id);
    expect(
      (await post(older, { json: { ...draft, title: "Another" } })).headers.has("idempotency-replayed"),
    ).toBeTrue();
  });
});

function newKey(): string {
  return crypto.randomUUID();
}

function visibleAscii(): string {
  return String.fromCharCode(...Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) => 0x21 + index));
}

/** Makes a key look as if it had come some time ago. */
async function age(databaseUrl: string, key: string, milliseconds: number): Promise<void> {
  const database = await openBeside(databaseUrl);
  const then = new Date(Date.now() - milliseconds);
  await database.write((sql) => sql`update idempotency_keys set created_at = ${then} where key = ${key}`);
  await database.close();
}
