import { expect, test } from "bun:test";
import { inMemory, zipOf } from "../../../test/support/files/zip.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { StagedRecords } from "../../transfer/import/staged-records.ts";
import { openZip } from "../files/zip-files.ts";
import { readHugoSettings } from "./hugo-permalinks.ts";

async function settingsOf(path: string, text: string, read = readHugoSettings) {
  await using tree = await openZip(inMemory(await zipOf([[path, text]])));
  using records = new StagedRecords();
  const settings = await read(tree, "", records);
  return { ...settings, notes: [...records.notes].map(({ code }) => code) };
}

test("The settings of Hugo name the folders of 200 languages at most", async () => {
  const languages = Array.from({ length: 300 }, (_, n) => `l${n}: { contentDir: content/${n} }\n`);
  const { folders } = await settingsOf("config/_default/languages.yaml", languages.join(""));
  expect(folders.size).toBe(200);
  expect(folders.get("content/199/")).toBe("l199");
});

test.each([
  ["errors", (count: number) => `a: "${"\\q".repeat(4 * count)}"\n`, ["settings_unreadable"]],
  ["names", (count: number) => Array.from({ length: count }, (_, n) => `a${n}: 1\n`).join(""), []],
])(
  "Settings of Hugo full of %s are read in time that grows with their length alone",
  async (_, of, notes) => {
    const counting = await countingModules<typeof import("./hugo-permalinks.ts")>(
      import.meta.resolve("./hugo-permalinks.ts"),
    );
    await expectLinear(async (length) => {
      const settings = await settingsOf("hugo.yaml", of(length), counting.readHugoSettings);
      expect(settings.notes).toEqual(notes);
    });
  },
);
