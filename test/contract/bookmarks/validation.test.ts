import { describe, expect, test } from "bun:test";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { type ErrorLocation, expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { describeHttp } from "../../support/server/contract.ts";

const wrongType = (...members: string[]): ErrorLocation[] =>
  members.map((member) => ({ pointer: `/${member}`, code: "wrong_type" }));

/** Bodies that are JSON but no BookmarkCreate, and all that is wrong with each. */
const wrongBodies: [description: string, body: unknown, faults: ErrorLocation[]][] = [
  [
    "an empty object",
    {},
    [
      { pointer: "/title", code: "missing" },
      { pointer: "/url", code: "missing" },
    ],
  ],
  ["no title", { url: draft.url }, [{ pointer: "/title", code: "missing" }]],
  ["no URL", { title: draft.title }, [{ pointer: "/url", code: "missing" }]],
  ["numbers", { title: 123, url: 456, description: 789 }, wrongType("title", "url", "description")],
  ["booleans", { title: true, url: false, description: true }, wrongType("title", "url", "description")],
  ["null", { title: null, url: null, description: null }, wrongType("title", "url", "description")],
  ["arrays", { title: ["x"], url: [draft.url], description: [] }, wrongType("title", "url", "description")],
  ["objects", { title: {}, url: {}, description: {} }, wrongType("title", "url", "description")],
  [
    "one fault of each kind",
    { title: "x".repeat(214), url: "ftp://example.com/", description: 1 },
    [
      { pointer: "/title", code: "too_long" },
      { pointer: "/url", code: "url_scheme" },
      { pointer: "/description", code: "wrong_type" },
    ],
  ],
  ["an array", [draft], [{ pointer: "", code: "wrong_type" }]],
  ["a string", "title", [{ pointer: "", code: "wrong_type" }]],
  ["a number", 1, [{ pointer: "", code: "wrong_type" }]],
  ["null alone", null, [{ pointer: "", code: "wrong_type" }]],
  ["true alone", true, [{ pointer: "", code: "wrong_type" }]],
];

describeHttp("Validation", (service) => {
  describe("POST /bookmarks/", () => {
    for (const [description, json, faults] of wrongBodies) {
      test(`with ${description} is refused with all errors at once`, async () => {
        await expectErrors(await service.send(COLLECTION, { method: "POST", json }), ...faults);
      });
    }

    test("that is refused stores nothing", async () => {
      const before = await list(service.send);
      for (const [, json] of wrongBodies) await service.send(COLLECTION, { method: "POST", json });
      expect(await list(service.send)).toEqual(before);
    });

    test("reports the number of invalid members, and the reason for each", async () => {
      const json = { title: "x".repeat(214), url: "ftp://example.com/" };
      const problem = await expectProblem(await service.send(COLLECTION, { method: "POST", json }), 422);
      expect(problem).toEqual({
        type: "about:blank",
        title: "Unprocessable Content",
        status: 422,
        detail: "2 members are not valid.",
        errors: [
          { pointer: "/title", code: "too_long", detail: "At most 200 characters; this has 214." },
          { pointer: "/url", code: "url_scheme", detail: "Only http and https URLs are kept here." },
        ],
      });
    });
  });

  describe("PUT /bookmarks/{id}", () => {
    for (const [description, json, faults] of wrongBodies) {
      test(`with ${description} is refused with all errors at once`, async () => {
        const path = pathOf(await create(service.send));
        await expectErrors(await service.send(path, { method: "PUT", json }), ...faults);
      });
    }

    test("reports errors of path and body together", async () => {
      await expectErrors(
        await service.send("/bookmarks/abc", { method: "PUT", json: { title: 1 } }),
        { parameter: "id", code: "not_an_integer" },
        { pointer: "/title", code: "wrong_type" },
        { pointer: "/url", code: "missing" },
      );
    });
  });

  describe("PATCH /bookmarks/{id}", () => {
    test("refuses every wrong type at once", async () => {
      const path = pathOf(await create(service.send));
      const json = { title: 1, url: true, description: [] };
      await expectErrors(
        await service.send(path, { method: "PATCH", json }),
        ...wrongType("title", "url", "description"),
      );
    });

    for (const json of [[], "title", 1, null, false]) {
      test(`with ${JSON.stringify(json)}, which is not an object, is refused`, async () => {
        const path = pathOf(await create(service.send));
        const response = await service.send(path, { method: "PATCH", json });
        await expectErrors(response, { pointer: "", code: "wrong_type" });
      });
    }
  });

  describe("An id in a path", () => {
    const methods = ["GET", "HEAD", "PUT", "PATCH", "DELETE"];
    const send = (method: string, id: string) =>
      service.send(`/bookmarks/${id}`, { method, ...(/^PU|^PA/.test(method) && { json: draft }) });

    for (const id of ["0", "-1", "-0", "9007199254740993", "9223372036854775808", "9".repeat(30)]) {
      test(`that is an integer but names nothing, ${id}, is 404`, async () => {
        for (const method of methods) expect((await send(method, id)).status).toBe(404);
        await expectProblem(await send("GET", id), 404);
      });
    }

    for (const id of [
      "abc",
      "1.5",
      "1e3",
      "0x1",
      "+1",
      "--1",
      "-",
      "%20",
      "1%20",
      "1%0a",
      "١",
      "1,2",
      "null",
    ]) {
      test(`that is not an integer, ${id}, is 422`, async () => {
        for (const method of methods) expect((await send(method, id)).status).toBe(422);
        await expectErrors(await send("GET", id), { parameter: "id", code: "not_an_integer" });
      });
    }

    test("may be percent-encoded", async () => {
      const bookmark = await create(service.send);
      const encoded = [...String(bookmark.id)].map((digit) => `%3${digit}`).join("");
      const response = await service.send(`/bookmarks/${encoded}`);
      expect(await response.json()).toEqual(bookmark);
    });
  });

  describe("A query parameter", () => {
    for (const limit of ["0", "-1", "1001", "99999999999999999999"]) {
      test(`limit=${limit} is out of range`, async () => {
        const response = await service.send(`${COLLECTION}?limit=${limit}`);
        await expectErrors(response, { parameter: "limit", code: "out_of_range" });
      });
    }

    test("that is empty is absent, where it may be", async () => {
      const path = `${COLLECTION}?limit=&q=&sort=&include=&cursor=`;
      expect(await list(service.send, path.replace(COLLECTION, ""))).toEqual(await list(service.send));
      await expectErrors(await service.send("/bookmarks/check?url="), {
        parameter: "url",
        code: "url_invalid",
      });
    });

    for (const limit of ["abc", "1.5", "1e2", "0x10", "%201", "1%20", "NaN", "%D9%A1"]) {
      test(`limit=${limit} is not an integer`, async () => {
        const response = await service.send(`${COLLECTION}?limit=${limit}`);
        await expectErrors(response, { parameter: "limit", code: "not_an_integer" });
      });
    }

    for (const limit of ["1", "1000"]) {
      test(`limit=${limit} is taken`, async () => {
        expect((await service.send(`${COLLECTION}?limit=${limit}`)).status).toBe(200);
      });
    }

    for (const query of ["limit=1&limit=1", "limit=1&cursor=x&limit=2"]) {
      test(`given twice, ${query}, is refused`, async () => {
        const problem = await expectProblem(await service.send(`${COLLECTION}?${query}`), 422);
        expect(problem.errors).toContainEqual(
          expect.objectContaining({ parameter: "limit", code: "repeated" }),
        );
      });
    }

    test("that is unknown is ignored, even if it is repeated", async () => {
      expect((await service.send(`${COLLECTION}?size=2&size=3&utm_source=x&LIMIT=0`)).status).toBe(200);
    });

    test("of the list is ignored for a single bookmark", async () => {
      const path = pathOf(await create(service.send));
      expect((await service.send(`${path}?limit=abc&cursor=abc`)).status).toBe(200);
    });
  });
});
