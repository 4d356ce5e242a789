import { expect, test } from "bun:test";
import { expectRefused } from "../../support/machine/commands.ts";
import { createAll, descriptionsOf, json, renameTag } from "../../support/records/tags.ts";
import { describeApp } from "../../support/server/contract.ts";
import { run } from "../../support/server/server.ts";

describeApp("The command undo", (service) => {
  const start = async () => {
    const databaseUrl = await service.createDatabase();
    const { request: send } = await service.startApp({ DATABASE_URL: databaseUrl });
    const command = (...words: string[]) => run(words, { env: { DATABASE_URL: databaseUrl } });
    return { send, command };
  };

  test("lists changes of tags and merges, and undoes them", async () => {
    const { send, command } = await start();
    const ids = await createAll(send, ["#js #Dev/JS", "#JavaScript", "#2024"]);
    await renameTag(send, "dev", "code");
    await renameTag(send, "js", "JavaScript");
    await json(send, "/bookmarks/merge", { method: "POST", json: { keep: ids[0], drop: [ids[2]] } });
    expect(await descriptionsOf(send, ids.slice(0, 2))).toEqual([
      "#code/JS #JavaScript #2024",
      "#JavaScript",
    ]);

    const changes = JSON.parse((await command("undo", "--json")).stdout);
    expect(changes.map(({ kind, bookmarks }: Record<string, unknown>) => [kind, bookmarks])).toEqual([
      ["merge", 2],
      ["rename_tag", 1],
      ["rename_tag", 1],
    ]);
    expect((await command("undo")).stdout).toContain('"to":"JavaScript"}');
    expect((await command("undo", changes[0].change, "--dry-run")).stdout).toBe(
      "A dry run: 2 bookmarks would be restored. Nothing was changed.\n",
    );
    for (const { change } of changes) expect((await command("undo", change)).code).toBe(0);
    expect(await descriptionsOf(send, ids)).toEqual(["#js #Dev/JS", "#JavaScript", "#2024"]);
    expectRefused(
      await command("undo", changes[0].change),
      1,
      /^commonplace: This change was already undone\.\n$/,
    );
  });

  test("says when there is nothing to undo, or no such change", async () => {
    const { command } = await start();
    expectRefused(await command("undo", "x"), 1, /There is no such change/);
    expect(await command("undo")).toMatchObject({ code: 0, stderr: "There is nothing to undo.\n" });
  });
});
