import { describe, expect, test } from "bun:test";
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
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

const MEMBERS = ["id", "title", "url", "description", "created_at"];

describeContract("Bookmarks", (service) => {
  describe("POST /bookmarks/", () => {
    test("answers 201 with exactly the members of a BookmarkResponse, in the order of the specification", async () => {
      const response = await service.send(COLLECTION, { method: "POST", json: draft });
      expect(response.status).toBe(201);
      expect(response.headers.get("content-type")).toBe("application/json");
      const bookmark = await bookmarkIn(response);
      expect(Object.keys(bookmark)).toEqual(MEMBERS);
      expect(bookmark).toMatchObject(draft);
      expect(bookmark.id).toBeInteger();
      expect(bookmark.id).toBePositive();
    });

    test("returns the new bookmark's URL in Location, which returns the same bookmark", async () => {
      const response = await service.send(COLLECTION, { method: "POST", json: draft });
      const bookmark = await bookmarkIn(response);
      expect(response.headers.get("location")).toBe(`/bookmarks/${bookmark.id}`);
      expect(await read(service.send, bookmark)).toEqual(bookmark);
    });

    test("stores an omitted description as the empty string", async () => {
      const { title, url } = draft;
      const bookmark = await create(service.send, {}, { json: { title, url } });
      expect(bookmark.description).toBe("");
      expect((await read(service.send, bookmark)).description).toBe("");
    });

    test("sets created_at to the time of the request, in RFC 3339, UTC, with milliseconds", async () => {
      const before = Date.now();
      const { created_at } = await create(service.send);
      const after = Date.now();
      expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(created_at)).toBeWithin(before, after + 1);
    });

    test("ignores members that it does not know or that are not the client's to set", async () => {
      const json = {
        ...draft,
        id: 1,
        created_at: "1999-01-01T00:00:00Z",
        version: 9,
        tags: ["x"],
        comments: [],
      };
      const first = await create(service.send);
      const bookmark = await create(service.send, {}, { json });
      expect(Object.keys(bookmark)).toEqual(MEMBERS);
      expect(bookmark.id).toBeGreaterThan(first.id);
      expect(Date.parse(bookmark.created_at)).toBeGreaterThanOrEqual(Date.parse(first.created_at));
    });

    test("reads no fields from a member named __proto__", async () => {
      const body = `{"__proto__": ${JSON.stringify(draft)}}`;
      const headers = { "content-type": "application/json" };
      await expectErrors(
        await service.send(COLLECTION, { method: "POST", headers, body }),
        { pointer: "/title", code: "missing" },
        { pointer: "/url", code: "missing" },
      );
    });

    test("stores the same URL repeatedly", async () => {
      const one = await create(service.send, { url: "https://example.com/twice" });
      const other = await create(service.send, { url: "https://example.com/twice" });
      expect(other.id).not.toBe(one.id);
      expect(await read(service.send, one)).toEqual(one);
    });

    test("never uses an id again, not even the last one after its bookmark is deleted", async () => {
      const gone = await create(service.send);
      expect((await service.send(pathOf(gone), { method: "DELETE" })).status).toBe(204);
      expect((await create(service.send)).id).toBeGreaterThan(gone.id);
    });

    test("gives each of many simultaneous bookmarks its own id", async () => {
      const made = await Promise.all(
        Array.from({ length: 64 }, (_, index) => create(service.send, { title: `simultaneous ${index}` })),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(64);
      for (const bookmark of made) expect(await read(service.send, bookmark)).toEqual(bookmark);
    });
  });

  describe("GET /bookmarks/", () => {
    test("answers an empty collection with an empty array", async () => {
      const app = await service.startApp();
      const response = await app.request(COLLECTION);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.text()).toBe("[]");
    });

    test("lists every bookmark, newest first, as POST returned it", async () => {
      const made = [];
      for (const title of ["first", "second", "third"]) made.push(await create(service.send, { title }));
      const listed = await list(service.send);
      expect(listed.slice(0, 3)).toEqual(made.toReversed());
      for (const bookmark of listed) expect(Object.keys(bookmark)).toEqual(MEMBERS);
    });

    test("no longer lists a bookmark that is deleted", async () => {
      const bookmark = await create(service.send);
      expect(await list(service.send)).toContainEqual(bookmark);
      await service.send(pathOf(bookmark), { method: "DELETE" });
      expect(await list(service.send)).not.toContainEqual(bookmark);
    });
  });

  describe("GET /bookmarks/{id}", () => {
    test("answers 200 with exactly the members of a BookmarkResponse, in the order of the specification", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark));
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const found = await bookmarkIn(response);
      expect(found).toEqual(bookmark);
      expect(Object.keys(found)).toEqual(MEMBERS);
    });
  });

  describe("PUT /bookmarks/{id}", () => {
    const other = { title: "Other", url: "https://other.example/", description: "Another page." };

    test("replaces the three fields, keeps id and created_at, and responses 200 without an ETag", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark), { method: "PUT", json: other });
      expect(response.status).toBe(200);
      expect(response.headers.has("etag")).toBeFalse();
      const { id, created_at } = bookmark;
      const replaced = await bookmarkIn(response);
      expect(replaced).toEqual({ id, ...other, created_at });
      expect(Object.keys(replaced)).toEqual(MEMBERS);
      expect(await read(service.send, bookmark)).toEqual(replaced);
    });

    test("with an omitted description empties it", async () => {
      const bookmark = await create(service.send);
      const { title, url } = other;
      const response = await service.send(pathOf(bookmark), { method: "PUT", json: { title, url } });
      expect(await bookmarkIn(response)).toMatchObject({ title, url, description: "" });
      expect((await read(service.send, bookmark)).description).toBe("");
    });

    test("ignores id and created_at in the body", async () => {
      const bookmark = await create(service.send);
      const json = { ...other, id: 99_999, created_at: "1999-01-01T00:00:00.000Z" };
      const response = await service.send(pathOf(bookmark), { method: "PUT", json });
      expect(await bookmarkIn(response)).toMatchObject({ id: bookmark.id, created_at: bookmark.created_at });
    });

    test("without title and URL is refused and changes nothing", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark), { method: "PUT", json: { description: "x" } });
      await expectErrors(
        response,
        { pointer: "/title", code: "missing" },
        { pointer: "/url", code: "missing" },
      );
      expect(await read(service.send, bookmark)).toEqual(bookmark);
    });

    test("never creates", async () => {
      const before = await list(service.send);
      await expectProblem(await service.send("/bookmarks/999999", { method: "PUT", json: other }), 404);
      expect(await list(service.send)).toEqual(before);
    });

    test("keeps the bookmark's place in the list", async () => {
      const older = await create(service.send);
      const newer = await create(service.send);
      await service.send(pathOf(older), { method: "PUT", json: other });
      expect((await list(service.send)).slice(0, 2).map(({ id }) => id)).toEqual([newer.id, older.id]);
    });
  });

  describe("PATCH /bookmarks/{id}", () => {
    for (const [member, value] of Object.entries({
      title: "Changed",
      url: "https://changed.example/",
      description: "Changed.",
    })) {
      test(`with ${member} alone changes it and nothing else`, async () => {
        const bookmark = await create(service.send);
        const response = await service.send(pathOf(bookmark), { method: "PATCH", json: { [member]: value } });
        expect(response.status).toBe(200);
        const changed = await bookmarkIn(response);
        expect(changed).toEqual({ ...bookmark, [member]: value });
        expect(Object.keys(changed)).toEqual(MEMBERS);
        expect(await read(service.send, bookmark)).toEqual(changed);
      });
    }

    test("with description null empties it, for null removes (RFC 7396)", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark), { method: "PATCH", json: { description: null } });
      expect(await bookmarkIn(response)).toEqual({ ...bookmark, description: "" });
    });

    test("with title or URL null is refused, for they cannot be removed", async () => {
      const bookmark = await create(service.send);
      const json = { title: null, url: null };
      await expectErrors(
        await service.send(pathOf(bookmark), { method: "PATCH", json }),
        { pointer: "/title", code: "wrong_type" },
        { pointer: "/url", code: "wrong_type" },
      );
      expect(await read(service.send, bookmark)).toEqual(bookmark);
    });

    test("with an empty object changes nothing", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark), { method: "PATCH", json: {} });
      expect(response.status).toBe(200);
      expect(await bookmarkIn(response)).toEqual(bookmark);
    });

    test("with one invalid member changes none", async () => {
      const bookmark = await create(service.send);
      const json = { title: "Changed", url: "ftp://example.com/" };
      const response = await service.send(pathOf(bookmark), { method: "PATCH", json });
      await expectErrors(response, { pointer: "/url", code: "url_scheme" });
      expect(await read(service.send, bookmark)).toEqual(bookmark);
    });

    test("takes application/merge-patch+json too", async () => {
      const bookmark = await create(service.send);
      const headers = { "content-type": "application/merge-patch+json" };
      const response = await service.send(pathOf(bookmark), {
        method: "PATCH",
        headers,
        json: { title: "M" },
      });
      expect(await bookmarkIn(response)).toEqual({ ...bookmark, title: "M" });
    });

    test("of different members at once loses no change", async () => {
      const bookmark = await create(service.send);
      const changes = [{ title: "T" }, { url: "https://u.example/" }, { description: "D" }];
      await Promise.all(changes.map((json) => service.send(pathOf(bookmark), { method: "PATCH", json })));
      expect(await read(service.send, bookmark)).toMatchObject(Object.assign({}, ...changes));
    });

    test("never creates", async () => {
      const response = await service.send("/bookmarks/999999", { method: "PATCH", json: { title: "x" } });
      await expectProblem(response, 404);
    });
  });

  describe("DELETE /bookmarks/{id}", () => {
    test("answers 204 with an empty body and removes the bookmark permanently", async () => {
      const bookmark = await create(service.send);
      const response = await service.send(pathOf(bookmark), { method: "DELETE" });
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(response.headers.has("content-type")).toBeFalse();
      await expectProblem(await service.send(pathOf(bookmark)), 404);
    });

    test("of a missing bookmark has a detail that it was not found", async () => {
      const bookmark = await create(service.send);
      await service.send(pathOf(bookmark), { method: "DELETE" });
      const problem = await expectProblem(await service.send(pathOf(bookmark), { method: "DELETE" }), 404);
      expect(problem.detail).toBe(`Bookmark ${bookmark.id} was not found.`);
    });

    test("of the same bookmark, many times at once, succeeds exactly once", async () => {
      const path = pathOf(await create(service.send));
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => service.send(path, { method: "DELETE" })),
      );
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(404)]);
    });
  });

  describe("A missing bookmark", () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      test(`answers ${method} with 404, and the detail names it`, async () => {
        const body = method === "PUT" || method === "PATCH" ? { json: draft } : {};
        const problem = await expectProblem(await service.send("/bookmarks/4711", { method, ...body }), 404);
        expect(problem.detail).toBe("Bookmark 4711 was not found.");
      });
    }
  });

  describe("Writers that race each other", () => {
    test("with If-Match of the same version succeed exactly once", async () => {
      const bookmark = await create(service.send);
      const headers = { "if-match": await etagOf(service.send, pathOf(bookmark)) };
      const responses = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          service.send(pathOf(bookmark), { method: "PATCH", headers, json: { title: `writer ${index}` } }),
        ),
      );
      const winners = responses.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(15);
      expect(await winners[0]?.json()).toEqual(await read(service.send, bookmark));
    });
  });
});
