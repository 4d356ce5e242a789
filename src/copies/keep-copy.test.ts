import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeImage } from "../../test/support/files/images.ts";
import { useLimits } from "../../test/support/given/use-limits.ts";
import { StoppedClock } from "../../test/support/machine/stopped-clock.ts";
import { engines } from "../../test/support/server/engines.ts";
import { insertBookmark } from "../bookmarks/bookmark-writer.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import type { ObjectStore } from "../media/object-store.ts";
import { removeUnusedObject } from "../media/place-images.ts";
import { readByDefault } from "./copy.ts";
import { deleteCopiesOf, deleteCopy } from "./copy-changes.ts";
import { CopyRoom } from "./copy-room.ts";
import { CopyStore } from "./copy-store.ts";
import type { ExtractedPage } from "./extraction/extract-page.ts";
import { sanitizedAgain } from "./extraction/sanitize-again.ts";
import { CopyKeeper, type PageToKeep } from "./keep-copy.ts";

const PAGE: ExtractedPage = {
  ...{ title: "Bun", byline: "Ada", site: "Example", language: "en", direction: "ltr", words: 2 },
  ...{ publishedAt: new Date(0), isArticle: true, html: "<p>Two words</p>", text: "Two words", pictures: [] },
};

const kept = (
  bytes: Uint8Array | string = "<p>Two words",
  page: Partial<ExtractedPage> = {},
): PageToKeep => ({
  ...{ origin: "browser", url: "https://example.com/", page: { ...PAGE, ...page } },
  original: { bytes: Buffer.from(bytes), type: "text/html; charset=utf-8" },
});

/** A store of MEDIA in memory. */
class ObjectsInMemory implements ObjectStore {
  readonly objects = new Map<string, Uint8Array>();
  put = async (name: string, bytes: Uint8Array) => void this.objects.set(name, bytes);
  get = async (name: string) => this.objects.get(name);
  delete = async (name: string) => void this.objects.delete(name);
}

const MAX = 100_000;

for (const engine of engines)
  for (const place of ["the database", "the store of MEDIA"])
    describe(`Copies in ${place} (${engine.name})`, () => {
      useLimits({ copiesPerBookmark: 3, copyBytes: 50_000 });
      const toEnd = new AsyncDisposableStack();
      const clock = new StoppedClock();
      const objects = place === "the database" ? undefined : new ObjectsInMemory();
      const store = new CopyStore(objects);
      let database: Database;
      let keeper: CopyKeeper;
      beforeAll(async () => {
        const { url } = toEnd.use(await engine.createDatabase());
        database = await openDatabase(url, { clock });
        toEnd.defer(() => database.close());
        keeper = new CopyKeeper({ database, objects, room: new CopyRoom(database, MAX) });
      });
      afterAll(() => toEnd.disposeAsync());

      async function newBookmark(): Promise<number> {
        const fields = { title: "Title", url: "https://example.com/", description: "" };
        return (await database.write((sql) => insertBookmark(sql, fields, undefined, clock.now()))).id;
      }
      const remove = (ids: readonly number[]) =>
        database.write((sql) => deleteCopiesOf(sql, ids, clock.now()));
      const countOf = async (table: "copies" | "copy_parts" | "copy_blobs") => {
        const [row] = await (table === "copies"
          ? database.read<{ n: number }>`select count(*) as n from copies`
          : table === "copy_parts"
            ? database.read<{ n: number }>`select count(*) as n from copy_parts`
            : database.read<{ n: number }>`select count(*) as n from copy_blobs`);
        return Number(row?.n);
      };

      test("A copy has the text, the pictures that can be shown, and the original, byte for byte", async () => {
        const id = await newBookmark();
        const picture = await makeImage("png", { width: 40, height: 30 });
        const original = `<p>Two words<img src="data:image/png;base64,${Buffer.from(picture).toString("base64")}">`;
        const html = `<p>Two words</p><p><img src="picture-1" alt="a"> <img src="picture-2" alt=""></p><p><img src="picture-3" alt=""></p>`;
        const urls = ["data:", "https://example.com/a.png", "https://example.com/b.svg"];
        const pictures = urls.map((url, index) => ({ url, ...(index === 0 && { bytes: picture }) }));
        const fetched = new Map([
          [2, await makeImage("jpeg", { width: 60, height: 20 })],
          [3, Buffer.from("<svg>")],
        ]);
        const page = { ...kept(original, { html, pictures }), pictures: fetched };
        const copy = await keeper.keep(id, page, 1);
        expect(copy).toMatchObject({ bookmarkId: id, title: "Bun", words: 2, isArticle: true, extractor: 1 });
        expect(await store.html(database.read, copy.id)).toBe(
          '<p>Two words</p><p><img src="picture-1" alt="a" width="40" height="30" loading="lazy"> <img src="picture-2" alt="" width="60" height="20" loading="lazy"></p>',
        );
        const part = await store.part(database.read, copy.id, "original");
        expect(part?.type).toBe("text/html; charset=utf-8");
        expect(Buffer.from(part?.bytes ?? []).toString()).toBe(original);
        expect(await store.part(database.read, copy.id, "picture-2")).toMatchObject({
          type: "image/jpeg",
          width: 60,
        });
        expect(await store.part(database.read, copy.id, "picture-3")).toBeUndefined();
        expect((await store.summaries(database.read, [id])).get(id)).toMatchObject({ id: copy.id, words: 2 });
        expect(await remove([id])).toBe(1);
        expect(await Promise.all((["copies", "copy_parts", "copy_blobs"] as const).map(countOf))).toEqual([
          0, 0, 0,
        ]);
      });

      test.each([
        [1, 1],
        [2, 40],
        [40, 2],
        [3, 3],
      ])("A picture of %d by %d pixels is kept if an archive brings it back", async (width, height) => {
        const id = await newBookmark();
        const bytes = await makeImage("png", { width, height });
        const html = `<p>a</p><figure><img src="picture-1" alt="" width="40" height="30" loading="lazy"></figure>`;
        const copy = await keeper.keep(
          id,
          kept("a", { html, pictures: [{ url: "data:", bytes }] }),
          undefined,
        );
        const stored = (await store.html(database.read, copy.id)) ?? "";
        expect(sanitizedAgain(stored)).toBe(stored);
        const picture = await store.part(database.read, copy.id, "picture-1");
        expect(picture !== undefined).toBe(stored.includes("<img"));
        expect(picture !== undefined).toBe(width > 2 && height > 2);
        await remove([id]);
      });

      test("Bytes that two copies have are there once, and go with the last of them", async () => {
        const [one, other] = [await newBookmark(), await newBookmark()];
        const first = await keeper.keep(one, kept("same"), undefined);
        await keeper.keep(other, kept("same"), undefined);
        expect(await countOf("copy_blobs")).toBe(1);
        await database.write((sql) => deleteCopy(sql, { bookmarkId: one, copyId: first.id }, clock.now()));
        expect(await countOf("copy_blobs")).toBe(1);
        await remove([other]);
        expect(await countOf("copy_blobs")).toBe(0);
      });

      test("What is in the store of MEDIA is removed within a day, and not before those who announced it are done", async () => {
        if (objects === undefined) return;
        const id = await newBookmark();
        await keeper.keep(id, kept("gone soon"), undefined);
        await remove([id]);
        while ((await removeUnusedObject({ database, objects })) > 0);
        expect(objects.objects.size).toBeGreaterThan(0);
        clock.move(13 * 60 * 60 * 1000);
        while ((await removeUnusedObject({ database, objects })) > 0);
        expect(objects.objects.size).toBe(0);
      });

      test("A bookmark takes so many copies, and the next is refused with a sentence", async () => {
        const id = await newBookmark();
        for (const n of [1, 2, 3]) await keeper.keep(id, kept(`number ${n}`), undefined);
        const refused = { reason: "conflict", message: expect.stringContaining("takes 3 copies") };
        await expect(keeper.keep(id, kept("number 4"), undefined)).rejects.toMatchObject(refused);
        expect((await store.newestFirst(database.read, id)).length).toBe(3);
        await remove([id]);
      });

      test("A page has so many bytes at most", async () => {
        const id = await newBookmark();
        await keeper.keep(id, kept("x".repeat(50_000)), undefined);
        await expect(keeper.keep(id, kept("x".repeat(50_001)), undefined)).rejects.toMatchObject({
          reason: "too_large",
        });
        await remove([id]);
      });

      test("When copies take as much room as they may, the next is refused with a sentence", async () => {
        const id = await newBookmark();
        const noise = () => crypto.getRandomValues(new Uint8Array(40_000));
        for (const _ of [1, 2]) await keeper.keep(id, kept(noise()), undefined);
        const refused = { reason: "storage_full", message: expect.stringContaining("COPIES_MAX") };
        await expect(keeper.keep(id, kept(noise()), undefined)).rejects.toMatchObject(refused);
        expect(await countOf("copies")).toBe(2);
        await remove([id]);
      });

      test("A bookmark that is not there gets no copy", async () => {
        await expect(keeper.keep(99_999, kept(), undefined)).rejects.toMatchObject({ reason: "not_found" });
      });

      test("Copies that come at once do not exceed the limit", async () => {
        const id = await newBookmark();
        const all = await Promise.allSettled(
          [1, 2, 3, 4, 5].map((n) => keeper.keep(id, kept(`at once ${n}`), undefined)),
        );
        expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
        expect(await remove([id])).toBe(3);
      });

      test("Bytes that one copy gives up while another wants them are there for it", async () => {
        const [one, other] = [await newBookmark(), await newBookmark()];
        for (let round = 0; round < 10; round++) {
          const page = kept(`wanted in round ${round}`);
          const [first] = await Promise.all([
            keeper.keep(one, page, undefined),
            keeper.keep(other, page, undefined),
          ]);
          const [, again] = await Promise.all([
            remove([one, other]),
            newBookmark().then((third) => keeper.keep(third, page, undefined)),
          ]);
          expect(first.id).not.toBe(again.id);
          const part = await store.part(database.read, again.id, "original");
          expect(Buffer.from(part?.bytes ?? []).toString()).toBe(`wanted in round ${round}`);
          await remove([again.bookmarkId]);
        }
        expect(await countOf("copy_blobs")).toBe(0);
      });

      test("Of a page that nothing can be read in, the original is kept under the title of the bookmark", async () => {
        const id = await newBookmark();
        const copy = await keeper.keep(id, { ...kept("%PDF"), page: undefined }, undefined);
        expect(copy).toMatchObject({ title: "Title", words: 0, isArticle: false });
        expect(await store.html(database.read, copy.id)).toBe("");
        await remove([id]);
      });

      test("Characters that no engine stores are left out", async () => {
        const id = await newBookmark();
        const copy = await keeper.keep(id, kept("a", { title: `a\0b\ud800${"c".repeat(300)}` }), undefined);
        expect(copy.title).toBe(`ab\ufffd${"c".repeat(197)}`);
        await remove([id]);
      });
    });

test.each([
  [[], undefined],
  [[100], 100],
  [[50, 100], 50],
  [[49, 100], 100],
  [[30, 49, 100], 100],
  [[60, 49, 100], 60],
  [[0, 100], 100],
  [[0], 0],
])("Of copies of %j words, newest first, the one of %p is read", (words, read) => {
  expect(readByDefault(words.map((count) => ({ words: count })))?.words).toBe(read as number);
});
