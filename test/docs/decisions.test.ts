import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";

const ROOT = join(import.meta.dir, "../..");
const FOLDER = "docs/decisions";

test("Every decision that a file names is a note, or is held by one that the list names", async () => {
  const list = await Bun.file(join(ROOT, FOLDER, "README.md")).text();
  const known = new Set(list.match(/\b\d{3}\b/g));
  const files = ["{src,test,bench,seed,docs}/**/*.{ts,tsx,sql,md}", "*.md"].flatMap((glob) => [
    ...new Glob(glob).scanSync(ROOT),
  ]);
  const unknown: string[] = [];
  for (const file of files) {
    const text = await Bun.file(join(ROOT, file)).text();
    for (const [reference, number = ""] of text.matchAll(/decisions?[ /](\d{3})\b/gi))
      if (!known.has(number)) unknown.push(`${file}: ${reference}`);
  }
  expect(unknown).toEqual([]);
});

test("The list has every note", async () => {
  const list = await Bun.file(join(ROOT, FOLDER, "README.md")).text();
  for (const file of new Glob("[0-9]*.md").scanSync(join(ROOT, FOLDER))) expect(list).toContain(`(${file})`);
});
