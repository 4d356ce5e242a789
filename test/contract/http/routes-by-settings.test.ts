import { expect, test } from "bun:test";
import { createRoutes } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/read-config.ts";
import type { Database } from "../../../src/database/database.ts";

function pathsWith(settings: Readonly<Record<string, string>>): string[] {
  const routes = createRoutes({ config: readConfig(settings), database: {} as Database });
  const all = Object.entries(routes).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method} ${path}`),
  );
  return all.sort();
}

/** What each setting that chooses parts of the program leaves, as lines. */
const LEFT: readonly Readonly<Record<string, string>>[] = [
  { SERVICES: "bookmarks" },
  { SERVICES: "posts" },
  { WEB: "off" },
  { SERVICES: "bookmarks", WEB: "off" },
  { SERVICES: "posts", WEB: "off" },
  { PROTOCOLS: "ghost,micropub,mcp" },
  { PROTOCOLS: "linkding,micropub,mcp" },
  { PROTOCOLS: "linkding,ghost,mcp" },
  { PROTOCOLS: "linkding,ghost,micropub" },
];

const everything = pathsWith({});

for (const settings of LEFT)
  test(`${new URLSearchParams(settings)} leaves out exactly its part`, () => {
    const left = pathsWith(settings);
    expect(left.filter((path) => !everything.includes(path))).toEqual([]);
    expect(everything.filter((path) => !left.includes(path)).join("\n")).toMatchSnapshot();
  });
