import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../..");
const pages = ["*.md", "docs/**/*.md"].flatMap((glob) => [...new Glob(glob).scanSync(ROOT)]).toSorted();

test("There are pages to check", () => expect(pages.length).toBeGreaterThan(10));

test.each(pages)("Every link in %s leads somewhere", async (page) => {
  const broken: string[] = [];
  for (const [, target = ""] of (await prose(page)).matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), path);
    const isThere = existsSync(file) && (anchor === undefined || (await anchors(file)).has(anchor));
    if (!isThere) broken.push(target);
  }
  expect(broken).toEqual([]);
});

/** A page without its examples. */
async function prose(page: string): Promise<string> {
  return (await Bun.file(join(ROOT, page)).text()).replace(/^```[\s\S]*?^```/gm, "");
}

/** What its headings are called in links. */
async function anchors(file: string): Promise<Set<string>> {
  const headings = [...(await prose(relative(ROOT, file))).matchAll(/^#+ (.*)$/gm)];
  return new Set(
    headings.map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
