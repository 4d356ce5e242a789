import { beforeAll, expect, test } from "bun:test";
import {
  bookmarkIn,
  COLLECTION,
  create,
  draft,
  etagOf,
  list,
  pathOf,
  read,
} from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("Two processes on one database", (service) => {
  let one: Send;
  let other: Send;
  beforeAll(async () => {
    one = service.send;
    other = sendTo((await service.startAnother({ DATABASE_URL: service.databaseUrl })).url);
  });

  test("see each other's writes at once", async () => {
    for (const [writer, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      for (let round = 0; round < rounds(5, 20); round++) {
        const bookmark = await create(writer, { title: `round ${round}` });
        expect(await read(reader, bookmark)).toEqual(bookmark);
        expect((await list(reader))[0]).toEqual(bookmark);
        const json = { title: "changed" };
        const changed = await bookmarkIn(await writer(pathOf(bookmark), { method: "PATCH", json }));
        expect(await read(reader, bookmark)).toEqual(changed);
        await reader(pathOf(bookmark), { method: "DELETE" });
        await expectProblem(await writer(pathOf(bookmark)), 404);
      }
    }
  });

  test("give the same version the same ETag, and a changed one another", async () => {
    const path = pathOf(await create(one));
    const etag = await etagOf(one, path);
    const listEtag = await etagOf(one, COLLECTION);
    expect(await etagOf(other, path)).toBe(etag);
    expect(await etagOf(other, COLLECTION)).toBe(listEtag);
    await one(path, { method: "PATCH", json: { title: "changed" } });
    const headers = { "if-none-match": etag };
    expect((await other(path, { headers })).status).toBe(200);
    expect(await etagOf(other, COLLECTION)).not.toBe(listEtag);
    await expectProblem(
      await other(path, { method: "PUT", headers: { "if-match": etag }, json: draft }),
      412,
    );
  });

  test("lose no concurrent writes and share no ids", async () => {
    const before = await list(one);
    const made = await Promise.all(
      Array.from({ length: 120 }, (_, index) =>
        create(index % 2 === 0 ? one : other, { title: `of ${index % 2}: ${index}` }),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(120);
    for (const reader of [one, other]) {
      const listed = await list(reader);
      expect(listed).toHaveLength(before.length + 120);
      expect(listed).toEqual(expect.arrayContaining(made));
    }
  });

  test("let only one of two writers change the same version", async () => {
    const path = pathOf(await create(one));
    const headers = { "if-match": await etagOf(one, path) };
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const send = index % 2 === 0 ? one : other;
        return send(path, { method: "PATCH", headers, json: { title: `writer ${index}` } });
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(19);
  });

  test("can start at the same time on a database that does not exist yet", async () => {
    for (let round = 0; round < rounds(1, 4); round++) {
      const DATABASE_URL = await service.createEmptyDatabase();
      const starting = Array.from({ length: 4 }, () => service.startAnother({ DATABASE_URL }));
      const servers = await Promise.all(starting);
      const bookmark = await create(sendTo(servers[0]?.url ?? ""));
      for (const { url } of servers) expect(await list(sendTo(url))).toEqual([bookmark]);
      for (const server of servers) await server.kill();
    }
  });

  test("do not affect each other when one stops", async () => {
    const DATABASE_URL = await service.createDatabase();
    const staying = await service.startAnother({ DATABASE_URL });
    const leaving = await service.startAnother({ DATABASE_URL });
    const bookmark = await create(sendTo(leaving.url));
    expect(await leaving.stop()).toBe(0);
    expect(await list(sendTo(staying.url))).toEqual([bookmark]);
    await create(sendTo(staying.url));
    expect(await list(sendTo(staying.url))).toHaveLength(2);
  });
});
