import { expect, test } from "bun:test";
import { createRoutes } from "../../src/app/app.ts";
import { readConfig } from "../../src/config/read-config.ts";
import type { Database } from "../../src/database/database.ts";
import { PAGES_OF_PARTS } from "./all-states.ts";

/** Pages that only redirect, and routes that send files. */
const WITHOUT_PICTURES =
  /\.\w+$|^\/assets\/|^\/\.well-known\/|^\/add$|^\/library\/icons\/|^\/library\/pictures\/\{id\}\/|^\/write\/new$|^\/posts\/\{slug\}\/comments\/\{id\}$/;

test("every page has a picture, and no two pictures have the same name", async () => {
  const routes = createRoutes({
    config: readConfig({ COMMENTS: "moderated" }),
    database: {} as Database,
  });
  const pages = Object.entries(routes)
    .filter(([path, { GET }]) => GET?.kind === "page" && !WITHOUT_PICTURES.test(path))
    .map(([path]) => path);
  expect(pages.length).toBeGreaterThan(30);
  const pictured = new Set(PAGES_OF_PARTS.flatMap((states) => Object.keys(states)));
  expect(pages.filter((path) => !pictured.has(path))).toEqual([]);
  const names = PAGES_OF_PARTS.flatMap((states) => Object.values(states).flat()).map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
});
