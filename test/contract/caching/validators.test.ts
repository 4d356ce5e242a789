import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { COLLECTION, create, draft, etagOf, list, pathOf, read } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;

/** Headers that match the version `etag`, perhaps among others. */
const matching: Record<string, (etag: string) => string> = {
  "the tag": (etag) => etag,
  "a list with the tag": (etag) => `"a", ${etag}, "b"`,
  "a list without spaces": (etag) => `"a",${etag}`,
  "a list with empty members": (etag) => `, ,${etag},`,
  "tags with commas in them, and the tag": (etag) => `"a,b", ${etag}`,
  "the tag of its gzip coding": (etag) => suffixed(etag, ".gzip"),
  "the tag of its br coding": (etag) => suffixed(etag, ".br"),
  "a star": () => "*",
};

/** Headers with which another version is meant, or none. */
const other: Record<string, (etag: string) => string> = {
  "another tag": () => '"another"',
  "several others": () => '"a", "b", "c"',
  "an empty tag": () => '""',
  "the start of the tag": (etag) => `${etag.slice(0, -2)}"`,
  "the tag with an unknown coding": (etag) => suffixed(etag, ".zstd"),
  "the tag with two codings": (etag) => suffixed(etag, ".gzip.br"),
};

/** Headers that are none. */
const malformed: Record<string, (etag: string) => string> = {
  "the tag without quotes": (etag) => etag.slice(1, -1),
  "the tag after a word": (etag) => `x${etag}`,
  "the tag with a lower-case w": (etag) => `w/${etag}`,
  "the tag and a quote too many": (etag) => `"${etag}`,
  nothing: () => "",
  "a star among tags": () => '"a", *',
};

describeContract("Validators", (service) => {
  describe("The ETag", () => {
    test("of a bookmark is strong, and stays as long as the bookmark does", async () => {
      const path = pathOf(await create(service.send));
      const etag = await etagOf(service.send, path);
      expect(etag).toMatch(STRONG_ETAG);
      await create(service.send);
      expect(await etagOf(service.send, path)).toBe(etag);
    });

    test("of a bookmark changes with each change, and never returns to an earlier one", async () => {
      const bookmark = await create(service.send, { title: "1" });
      const etags = [await etagOf(service.send, pathOf(bookmark))];
      for (const title of ["2", "1", "3"]) {
        await service.send(pathOf(bookmark), { method: "PUT", json: { ...draft, title } });
        etags.push(await etagOf(service.send, pathOf(bookmark)));
      }
      expect(new Set(etags).size).toBe(etags.length);
    });

    test("of the list changes with each write, and only then", async () => {
      const etags: string[] = [];
      const remember = async () => etags.push(await etagOf(service.send, COLLECTION));
      await remember();
      const bookmark = await create(service.send);
      await remember();
      await service.send(pathOf(bookmark), { method: "PUT", json: { ...draft, title: "Put" } });
      await remember();
      await service.send(pathOf(bookmark), { method: "PATCH", json: { title: "Patched" } });
      await remember();
      await service.send(pathOf(bookmark), { method: "DELETE" });
      await remember();
      expect(new Set(etags).size).toBe(5);
      for (const etag of etags) expect(etag).toMatch(STRONG_ETAG);

      await service.send(COLLECTION, { method: "POST", json: {} });
      await service.send(pathOf(bookmark), { method: "DELETE" });
      await service.send(pathOf(bookmark), { method: "PUT", json: draft });
      await service.send("/bookmarks/");
      await remember();
      expect(etags.at(-1)).toBe(etags.at(-2));
    });

    test("is not on the response to PUT (RFC 9110, 9.3.4)", async () => {
      const path = pathOf(await create(service.send));
      const response = await service.send(path, { method: "PUT", json: draft });
      expect(response.headers.has("etag")).toBeFalse();
    });
  });

  const resources = [
    { what: "a bookmark", pathOfIt: pathOf },
    { what: "the list", pathOfIt: () => COLLECTION },
    { what: "a page of the list", pathOfIt: () => `${COLLECTION}?limit=1` },
  ];
  for (const { what, pathOfIt } of resources) {
    describe(`GET of ${what} with If-None-Match`, () => {
      let bookmark: BookmarkResponse;
      let path: string;
      let etag: string;
      beforeAll(async () => {
        bookmark = await create(service.send);
        path = pathOfIt(bookmark);
        etag = await etagOf(service.send, path);
      });

      const get = (value: string) => service.send(path, { headers: { "if-none-match": value } });

      for (const [description, header] of Object.entries({
        ...matching,
        "the tag marked weak": (etag: string) => `W/${etag}`,
        "a list with the tag marked weak": (etag: string) => `"a", W/${etag}`,
      })) {
        test(`of ${description} is 304, without a body`, async () => {
          const response = await get(header(etag));
          expect(response.status).toBe(304);
          expect(await response.text()).toBe("");
        });
      }

      for (const [description, header] of Object.entries({ ...other, ...malformed })) {
        test(`of ${description} is 200`, async () => {
          const response = await get(header(etag));
          await response.body?.cancel();
          expect(response.status).toBe(200);
        });
      }

      test("that is 304 has the fields that the 200 would have had (RFC 9110, 15.4.5)", async () => {
        const fresh = await service.send(path);
        await fresh.body?.cancel();
        const response = await get(etag);
        for (const name of ["etag", "cache-control", "vary"]) {
          expect([name, response.headers.get(name)]).toEqual([name, fresh.headers.get(name)]);
        }
        expect(response.headers.has("date")).toBeTrue();
        expect(response.headers.has("content-type")).toBeFalse();
      });

      test("does not hide a change", async () => {
        await service.send(pathOf(bookmark), { method: "PATCH", json: { title: "Changed" } });
        const response = await get(etag);
        await response.body?.cancel();
        expect(response.status).toBe(200);
      });
    });
  }

  describe("If-None-Match of a missing record", () => {
    test("is 404, not 304", async () => {
      const response = await service.send("/bookmarks/999999", { headers: { "if-none-match": "*" } });
      await expectProblem(response, 404);
    });
  });

  for (const method of ["PUT", "PATCH", "DELETE"]) {
    describe(`${method} with a precondition`, () => {
      let path: string;
      let etag: string;
      let before: BookmarkResponse;
      beforeEach(async () => {
        before = await create(service.send);
        path = pathOf(before);
        etag = await etagOf(service.send, path);
      });

      const change = (headers: Record<string, string>) =>
        service.send(path, {
          method,
          headers,
          ...(method !== "DELETE" && { json: { ...draft, title: "Changed" } }),
        });
      const succeeded = method === "DELETE" ? 204 : 200;

      for (const [description, header] of Object.entries(matching)) {
        test(`If-Match of ${description} succeeds`, async () => {
          expect((await change({ "if-match": header(etag) })).status).toBe(succeeded);
        });

        test(`If-None-Match of ${description} is 412 and changes nothing`, async () => {
          await expectProblem(await change({ "if-none-match": header(etag) }), 412);
          expect(await read(service.send, before)).toEqual(before);
        });
      }

      for (const [description, header] of Object.entries({
        ...other,
        ...malformed,
        "another tag, marked weak": (etag: string) => `W/${etag.replace(/"$/, '0"')}`,
      })) {
        test(`If-Match of ${description} is 412 and changes nothing`, async () => {
          await expectProblem(await change({ "if-match": header(etag) }), 412);
          expect(await read(service.send, before)).toEqual(before);
        });
      }

      test("If-Match of the tag marked weak succeeds: a proxy that compresses has weakened it", async () => {
        expect((await change({ "if-match": `"a", W/${etag}` })).status).toBe(succeeded);
      });

      for (const [description, header] of Object.entries(other)) {
        test(`If-None-Match of ${description} succeeds`, async () => {
          expect((await change({ "if-none-match": header(etag) })).status).toBe(succeeded);
        });
      }

      test("If-None-Match of the tag marked weak is 412, for it compares weakly", async () => {
        await expectProblem(await change({ "if-none-match": `W/${etag}` }), 412);
      });

      test("If-Match of the version before is 412 when someone else was faster", async () => {
        const first = await service.send(path, { method: "PATCH", json: { title: "Faster" } });
        expect(first.status).toBe(200);
        await expectProblem(await change({ "if-match": etag }), 412);
        expect((await read(service.send, before)).title).toBe("Faster");
      });

      test("a matching If-Match does not override a failing If-None-Match", async () => {
        await expectProblem(await change({ "if-match": etag, "if-none-match": etag }), 412);
      });
    });
  }

  describe("POST with a precondition", () => {
    const post = (headers: Record<string, string>) =>
      service.send(COLLECTION, { method: "POST", headers, json: draft });

    test("If-None-Match of a star or of the list's tag is 412 and creates nothing", async () => {
      const before = await list(service.send);
      for (const value of ["*", await etagOf(service.send, COLLECTION)]) {
        await expectProblem(await post({ "if-none-match": value }), 412);
      }
      expect(await list(service.send)).toEqual(before);
    });

    test("If-Match of the list's tag succeeds once", async () => {
      const headers = { "if-match": await etagOf(service.send, COLLECTION) };
      expect((await post(headers)).status).toBe(201);
      await expectProblem(await post(headers), 412);
    });
  });
});

/** The tag of a coded representation of the same version. */
function suffixed(etag: string, suffix: string): string {
  return `${etag.slice(0, -1)}${suffix}"`;
}
