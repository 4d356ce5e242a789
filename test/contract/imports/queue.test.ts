import { expect, test } from "bun:test";
import { readingKinds } from "../../../src/app/job-kinds.ts";
import { waitingUploads } from "../../../src/imports/import-pages.ts";
import { deleteUnread, storeUpload } from "../../../src/imports/uploads.ts";
import { importPage } from "../../support/files/import-page.ts";
import { useLimits } from "../../support/given/use-limits.ts";
import { describeApp } from "../../support/server/contract.ts";

const FILE = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF='https://example.com/'>x</A></DL>";

describeApp("An upload beside ten others", (service) => {
  test("is refused early, and taken when one has ended", async () => {
    const { upload, send } = await importPage(service);
    const uploadLinks = () => {
      const body = new FormData();
      body.set("file", new File([FILE], "links.html"));
      return send("/library/import", { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
    };
    const places = Array.from({ length: 10 }, () => waitingUploads.enter());
    try {
      for (const refused of [await upload("# A post", "post.md"), await uploadLinks()]) {
        expect(refused.status).toBe(503);
        expect(refused.headers.get("retry-after")).toBe("60");
        expect(await refused.text()).toContain("Many files are being imported at the moment");
      }
      places.pop()?.[Symbol.dispose]();
      for (let n = 0; n < 3; n++) {
        expect((await upload("# A post", "post.md")).status).toBe(303);
        expect((await uploadLinks()).status).toBe(303);
      }
    } finally {
      for (const place of places) place[Symbol.dispose]();
    }
  });
});

const LIMITS = { all: { files: 5, bytes: 500 }, caller: { files: 3, bytes: 300 } };

describeApp("Files that wait to be read", (service) => {
  useLimits({ waitingUploads: LIMITS });

  /** Stores files of accounts and sizes, which nothing reads. @returns which of them are refused */
  const refusedOf = async (files: readonly (readonly [accountId: number | null, size: number])[]) => {
    const { database } = await service.startApp();
    const refused: number[] = [];
    for (const [index, [accountId, size]] of files.entries()) {
      const file = {
        kind: "bookmarks",
        fileName: "links.html",
        bytes: new Uint8Array(size),
        accountId,
      } as const;
      await storeUpload(database, file).catch((error) => {
        expect(error).toMatchObject({ reason: "unavailable", retryAfter: 60 });
        refused.push(index);
      });
    }
    return refused;
  };

  test.each([
    ["three of an account", [1, 1, 1, 1, 2].map((id) => [id, 1] as const), [3]],
    ["three of all anonymous callers", [null, null, null, null, 1].map((id) => [id, 1] as const), [3]],
    [
      "300 bytes of an account",
      [
        [1, 150],
        [1, 150],
        [1, 1],
        [2, 1],
      ] as const,
      [2],
    ],
    ["five of all", [1, 1, 2, 2, 3, 3].map((id) => [id, 1] as const), [5]],
    [
      "500 bytes of all",
      [
        [1, 300],
        [2, 200],
        [3, 1],
      ] as const,
      [2],
    ],
  ])("are at most %s", async (_, files, refused) => {
    expect(await refusedOf(files)).toEqual(refused);
  });

  test("count no longer once they are canceled", async () => {
    const { database } = await service.startApp();
    const file = { kind: "bookmarks", fileName: "links.html", bytes: new Uint8Array(300) } as const;
    const key = await storeUpload(database, file);
    await database.write((sql) => deleteUnread(sql, key));
    await storeUpload(database, file);
  });
});

describeApp("Uploaded files", (service) => {
  test("that are small do not wait for large ones", async () => {
    const { database } = await service.startApp();
    const kinds = readingKinds(database).map((kinds) => Object.keys(kinds));
    for (const size of [1024 * 1024, 1024 * 1024 + 1])
      await storeUpload(database, { kind: "bookmarks", fileName: "a", bytes: new Uint8Array(size) });
    const jobs = await database.read<{ kind: string }>`select kind from jobs order by id`;
    expect(jobs.map(({ kind }) => kinds.findIndex((names) => names.includes(kind)))).toEqual([1, 0]);
  });
});
