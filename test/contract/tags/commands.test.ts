import { expect, test } from "bun:test";
import { expectRefused } from "../../support/machine/commands.ts";
import { create, list, read } from "../../support/records/bookmarks.ts";
import { createAll, descriptionsOf } from "../../support/records/tags.ts";
import { describeContract } from "../../support/server/contract.ts";
import { run } from "../../support/server/server.ts";

describeContract("The commands of tags", (service) => {
  const start = async () => {
    const databaseUrl = await service.createDatabase();
    const { request: send } = await service.startApp({ DATABASE_URL: databaseUrl });
    const command = (...words: string[]) => run(words, { env: { DATABASE_URL: databaseUrl } });
    const json = async (...words: string[]) => JSON.parse((await command(...words, "--json")).stdout);
    return { send, command, json };
  };

  test("list, rename, merge and delete tags, and undo it", async () => {
    const { send, command, json } = await start();
    const ids = await createAll(send, ["#js #Dev/JS", "#JavaScript", "#ecmascript #2024"]);
    expect((await json("tags", "list", "--sort", "count")).map(({ name }: { name: string }) => name)).toEqual(
      ["2024", "Dev/JS", "ecmascript", "JavaScript", "js"],
    );
    const table = (await command("tags", "list", "java")).stdout;
    expect(table).toMatch(/^name +count +with_below +last_used\nJavaScript +1 +1 +20\d\d-.*Z\n$/);

    const dry = await command("tags", "rename", "dev", "code", "--dry-run");
    expect(dry).toEqual({
      code: 0,
      stderr: "",
      stdout: "A dry run: 1 bookmark would change. Nothing was changed.\n",
    });
    const renamed = await command("tags", "rename", "#dev", "code");
    expect(renamed.stdout).toMatch(
      /^#dev is #code now; 1 bookmark changed\.\nTo undo it within 30 days: \S*commonplace undo [0-9a-f]{32}\n$/,
    );
    const merged = await json("tags", "merge", "JavaScript", "js", "ecmascript");
    expect(merged.changed).toBe(2);
    expect(await descriptionsOf(send, ids.slice(0, 2))).toEqual(["#code/JS #JavaScript", "#JavaScript"]);
    expect((await json("tags", "delete", "javascript")).changed).toBe(3);

    const changes = await json("undo");
    expect(changes.map(({ kind, bookmarks }: Record<string, unknown>) => [kind, bookmarks])).toEqual([
      ["delete_tag", 3],
      ["rename_tag", 2],
      ["rename_tag", 1],
    ]);
    expect((await command("undo")).stdout).toContain('{"names":["js","ecmascript"],"to":"JavaScript"}');
    expect((await command("undo", changes[0].change, "--dry-run")).stdout).toBe(
      "A dry run: 3 bookmarks would be restored. Nothing was changed.\n",
    );
    for (const { change } of changes) expect((await command("undo", change)).code).toBe(0);
    expect(await descriptionsOf(send, ids.slice(0, 2))).toEqual(["#js #Dev/JS", "#JavaScript"]);
    expectRefused(
      await command("undo", changes[0].change),
      1,
      /^commonplace: This change was already undone\.\n$/,
    );
  });

  test("refuse unknown tags and invalid names", async () => {
    const { command } = await start();
    expectRefused(await command("tags", "rename", "a", "b"), 1, /^commonplace: The tag a was not found\.\n$/);
    expectRefused(await command("tags", "merge", "x", "a", "b"), 1, /None of these tags was found/);
    expectRefused(await command("tags", "delete", "#"), 2, /"#" is not a valid tag name/);
    expectRefused(await command("undo", "x"), 1, /There is no such change/);
    for (const words of [
      ["tags", "rename", "a"],
      ["tags", "merge", "a"],
      ["tags", "list", "--sort", "size"],
    ])
      expect(await command(...words)).toMatchObject({ code: 2, stdout: "" });
    expect(await command("tags", "list", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
    expect(await command("tags", "list")).toEqual({ code: 0, stdout: "", stderr: "No tags found.\n" });
    expect(await command("undo")).toMatchObject({ code: 0, stderr: "There is nothing to undo.\n" });
  });

  test("find duplicates and merge them", async () => {
    const { send, command, json } = await start();
    expect(await command("duplicates", "list")).toMatchObject({
      code: 0,
      stderr: "No duplicates found.\n",
    });
    const first = await create(send, {
      title: "First",
      url: "https://example.com/a",
      description: "One. #a",
    });
    const second = await create(send, {
      title: "\u001b[2J",
      url: "http://www.example.com/a",
      description: "#2024",
    });
    expect((await command("duplicates", "list")).stdout).toMatch(
      /^2 with URLs that differ in scheme, www\n {2}2 {2}20.* {2}\\u\{1b\}\[2J {2}<http:.*>\n {2}1 {2}.*First {2}<https:.*>\n$/,
    );
    const [group] = await json("duplicates", "list");
    expect(group).toEqual({ bookmarks: [second, first], because: ["scheme", "www"] });
    expect((await command("duplicates", "merge", "1", "2", "--dry-run")).stdout).toContain(
      "One. #a\n#2024\n",
    );
    expect(await list(send)).toHaveLength(2);
    const { bookmark, undo } = await json("duplicates", "merge", "1", "2");
    expect(await read(send, first)).toEqual(bookmark);
    expect((await command("undo", undo)).stdout).toBe("Undone: 2 bookmarks restored.\n");
    expect(await list(send)).toEqual([second, first]);
    expectRefused(
      await command("duplicates", "merge", "1", "9"),
      1,
      /^commonplace: Bookmark 9 was not found\.\n$/,
    );
    for (const words of [["1", "1"], ["x", "2"], ["1"]])
      expect(await command("duplicates", "merge", ...words)).toMatchObject({ code: 2, stdout: "" });
  });
});
