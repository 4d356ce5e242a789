import { expect, test } from "bun:test";
import { endpoint, mergeRoutes, SERVICE_TAG } from "./endpoint.ts";
import { noContent } from "./response-data.ts";

const GET = endpoint({ id: "get", tag: SERVICE_TAG, summary: "", responses: {}, refusals: [] }, () =>
  noContent(),
);

test("The routes of parts are in their order, without the parts that are off", () => {
  const routes = mergeRoutes({ "/b": { GET } }, false, undefined, { "/a": { GET } });
  expect(Object.entries(routes)).toEqual([
    ["/b", { GET }],
    ["/a", { GET }],
  ]);
});

test("A path belongs to one part", () => {
  expect(() => mergeRoutes({ "/a": { GET } }, { "/a": { POST: GET } })).toThrow("Two parts declare /a.");
});
