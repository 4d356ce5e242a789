import { expect, test } from "bun:test";
import { inMemory, zipOf } from "../../../test/support/files/zip.ts";
import { openZip } from "../files/zip-files.ts";
import { StagedRecords } from "../import/staged-records.ts";
import { readHugoSettings } from "./hugo-permalinks.ts";

async function settingsOf(path: string, text: string) {
  await using tree = await openZip(inMemory(await zipOf([[path, text]])));
  using records = new StagedRecords();
  return await readHugoSettings(tree, "", records);
}

test("The settings of Hugo name the folders of 200 languages at most", async () => {
  const languages = Array.from({ length: 300 }, (_, n) => `l${n}: { contentDir: content/${n} }\n`);
  const { folders } = await settingsOf("config/_default/languages.yaml", languages.join(""));
  expect(folders.size).toBe(200);
  expect(folders.get("content/199/")).toBe("l199");
});
