import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../..");
const tour = readFileSync(join(ROOT, "docs/tour.md"), "utf8");

/** What stands side by side on each layer, from the top down. */
const layers = (/^```\n(.*?)^```/ms.exec(tour)?.[1] ?? "")
  .trim()
  .split("\n")
  .map((line) => line.split(/ +/));

/** Files of the program itself, as paths from its folder. */
const sources = [...new Glob("**/*.{ts,tsx}").scanSync(join(ROOT, "src"))].filter(
  (path) => !/\.test\.tsx?$|\.d\.ts$/.test(path),
);

/** What a path from `src/` belongs to: its folder, or the file itself. */
function roomOf(path: string): string {
  return path.split("/")[0]?.replace(/\.tsx?$/, "") ?? "";
}

function layerOf(room: string): number {
  return layers.findIndex((rooms) => rooms.includes(room));
}

/** The text of a file of `src/`. */
function textOf(path: string): string {
  return readFileSync(join(ROOT, "src", path), "utf8");
}

/** The files of `src/` that a file imports, for their types too, or starts as a thread; as paths from `src/`. */
function importsOf(path: string): string[] {
  return [...textOf(path).matchAll(/(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*"(\.[^"]+\.tsx?)"/g)].map(
    ([, target = ""]) => relative(".", join(dirname(path), target)),
  );
}

describe("docs/tour.md", () => {
  test("gives everything in src/ a layer", () => {
    const rooms = readdirSync(join(ROOT, "src"))
      .filter((name) => !/\.test\.tsx?$|\.d\.ts$/.test(name))
      .map(roomOf);
    expect(layers.flat().toSorted()).toEqual(rooms.toSorted());
  });

  test("allows imports only from the same folder or lower layers", () => {
    const imports = sources.flatMap((path) => importsOf(path).map((target) => [path, target] as const));
    expect(imports.length).toBeGreaterThan(500);
    const wrong = imports.filter(([path, target]) => {
      const [from, to] = [roomOf(path), roomOf(target)];
      return from !== to && layerOf(to) <= layerOf(from);
    });
    expect(wrong.map(([path, target]) => `${path} imports ${target}`)).toEqual([]);
  });

  test("has no circle of files that import each other, not for types alone either", () => {
    let left = sources.flatMap((path) => importsOf(path).map((target) => [path, target] as const));
    // What is imported in a circle imports something itself, and what imports it is imported.
    for (let before = 0; before !== left.length; ) {
      before = left.length;
      const importing = new Set(left.map(([path]) => path));
      const imported = new Set(left.map(([, target]) => target));
      left = left.filter(([path, target]) => importing.has(target) && imported.has(path));
    }
    expect(left.map(([path, target]) => `${path} imports ${target}`)).toEqual([]);
  });

  test("keeps readers/ a leaf: it imports the shape of records and texts, and only imports of files use it", () => {
    const below = [
      "records",
      "tags",
      "decoding",
      "text",
      "printable",
      "temporary-database",
      "temporary-file",
      "errors",
    ];
    const users = ["transfer", "imports", "commands"];
    const imports = sources.flatMap((path) => importsOf(path).map((target) => [path, target] as const));
    const wrong = imports.filter(([path, target]) => {
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === "readers") return ![from, ...below].includes(to);
      return to === "readers" && !users.includes(from);
    });
    expect(wrong.map(([path, target]) => `${path} imports ${target}`)).toEqual([]);
  });

  test("lists every file that depends on an engine and is not named after one", () => {
    const [, section = ""] = /^## The two engines\n(.*?)^## /ms.exec(tour) ?? [];
    const listed = [...section.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, path = ""]) => path);
    const named = /(?:^|\/)(?:sqlite|postgres)/;
    const asking =
      /[!=]== "(?:sqlite|postgres)"|(?<!function )\bsqlitePathOf\(|\b(?:sqlite|postgres): (?!\w+;|followed)/;
    const knowing = sources.filter(
      (path) => asking.test(textOf(path)) || importsOf(path).some((to) => named.test(to)),
    );
    expect(knowing.filter((path) => !named.test(path)).toSorted()).toEqual(listed.toSorted());
  });

  test("names existing files", () => {
    const files = ["src", "test", "bench", "docs"].flatMap((folder) =>
      [...new Glob("**/*").scanSync(join(ROOT, folder))].map((path) => `${folder}/${path}`),
    );
    const named = [...tour.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !files.some((file) => `/${file}`.endsWith(`/${path}`)))).toEqual([]);
  });
});
