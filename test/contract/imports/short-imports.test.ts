import { expect, test } from "bun:test";
import type { Awaitable } from "../../../src/awaitable.ts";
import type { Sql } from "../../../src/database/database.ts";
import { openDatabase } from "../../../src/database/open.ts";
import {
  awaitEnd,
  failImport,
  findUpload,
  finishImport,
  finishReading,
  recordReading,
  requestImport,
  storeUpload,
} from "../../../src/imports/uploads.ts";
import { zipOf } from "../../support/files/zip.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { submit } from "../../support/requests/forms.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

/** More links than are imported within the request. */
const LINKS = 1_001;
const bookmarks = () =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${Array.from(
    { length: LINKS },
    (_, index) => `<DT><A HREF="https://x.example/${index}">${index}</A>`,
  ).join("")}</DL>`;
const blog = () =>
  zipOf(
    ["one", "two"].map((name) => [
      `content/posts/${name}.md`,
      `---\ntitle: ${name}\ndate: 2020-01-01\n---\nHi`,
    ]),
  );

describeContract("An import in the background that ends within a second", (service) => {
  for (const [below, fileName, file] of [
    ["/library/import", "bookmarks.html", bookmarks],
    ["/write/import", "blog.zip", blog],
  ] as const)
    test(`${below}: the page after the form is the result`, async () => {
      const databaseUrl = await service.createDatabase();
      const { url } = await service.serveAnother({ DATABASE_URL: databaseUrl });
      const database = await openDatabase(databaseUrl);
      const account = await makeAccount(database, "ada");
      const send = withHeaders(sendTo(url), { cookie: await makeSession(database, account) });
      await database.close();
      const body = new FormData();
      body.set("file", new File([await file()], fileName));
      const headers = { "sec-fetch-site": "same-origin" };
      const uploaded = await send(below, { method: "POST", body, headers, redirect: "manual" });
      const path = uploaded.headers.get("location") ?? "";
      const imported = await submit(send, path, {});
      expect([imported.status, imported.headers.get("location")]).toEqual([303, path]);
      expect(await (await send(path)).text()).toContain("<h1>Import finished</h1>");
    });

  test("/library/import: rows with the address of an earlier one are no links that were saved before", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie, "sec-fetch-site": "same-origin" });
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${["a", "b", "a"]
      .map((host) => `<DT><A HREF="https://${host}.example/">${host}</A>`)
      .join("")}</DL>`;
    const sentences = (html: string) => [...html.matchAll(/<li>(\d+ [^<]*\.)/g)].map(([, said]) => said);
    const importIt = async () => {
      const body = new FormData();
      body.set("file", new File([file], "bookmarks.html"));
      const uploaded = await send("/library/import", { method: "POST", body });
      const path = uploaded.headers.get("location") ?? "";
      const preview = sentences(await (await send(path)).text());
      await submit(send, path, {});
      return [preview, sentences(await (await send(path)).text())];
    };
    expect(await importIt()).toEqual([
      ["2 links will be added.", "1 row has the address of an earlier one, and will be one link with it."],
      ["2 links added.", "1 row had the address of an earlier one, and became one link with it."],
    ]);
    expect((await importIt())[0]).toEqual([
      "2 links are already saved, and will not be changed.",
      "1 row has the address of an earlier one, and will be one link with it.",
    ]);
  });

  test("is awaited until it has ended or failed, and a long one for a moment", async () => {
    const database = await openDatabase(await service.createDatabase());
    const file = { kind: "bookmarks", fileName: "file", bytes: Buffer.from("x") } as const;
    const key = await storeUpload(database, file);
    const upload = await findUpload(database.read, "bookmarks", key, new Date());
    await database.write((sql) => recordReading(sql, key, { done: 0, total: 0, items: 0 }));
    await database.write((sql) => finishReading(sql, upload, "bookmarks", 1));
    const request = () => database.write((sql) => requestImport(sql, key, { rule: "skip", tags: true }));
    await request();
    expect(await awaitEnd(database, key, ["importing"], 0)).toMatchObject({ state: "importing" });
    const untilEnd = (end: (sql: Sql) => Awaitable<unknown>) =>
      Promise.all([awaitEnd(database, key, ["importing"], Number.POSITIVE_INFINITY), database.write(end)]);
    await untilEnd((sql) => failImport(sql, key, "unknown"));
    await request();
    await untilEnd((sql) => finishImport(sql, key, null, new Date()));
    await untilEnd((sql) => sql`delete from import_uploads where key = ${key}`);
    await database.close();
  });
});
