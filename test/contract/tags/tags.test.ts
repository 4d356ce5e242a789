import { expect, test } from "bun:test";
import { create, etagOf, pathOf, read } from "../../support/records/bookmarks.ts";
import { type Changed, createAll, descriptionsOf, json, renameTag } from "../../support/records/tags.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("A bookmark's tags", (service) => {
  const { send } = { send: ((...args) => service.send(...args)) as typeof service.send };

  test("are its hashtags and the names on its tag line, with the bookmark's ETag", async () => {
    const bookmark = await create(send, { description: "About #Dev/JS.\n#2024 #C# #R&D" });
    const response = await send(`${pathOf(bookmark)}/tags`);
    expect(await response.json()).toEqual({ tags: ["Dev/JS", "2024", "C#", "R&D"] });
    const etag = response.headers.get("etag") ?? "";
    expect(etag).toBe(await etagOf(send, pathOf(bookmark)));
    const again = await send(`${pathOf(bookmark)}/tags`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    await expectProblem(await send("/bookmarks/1000000/tags"), 404);
    await expectProblem(await send("/bookmarks/x/tags"), 422);
  });

  test("are replaced by PUT, which keeps the text", async () => {
    const bookmark = await create(send, { description: "About #js.\n#old #C#" });
    const path = `${pathOf(bookmark)}/tags`;
    const put = (tags: unknown, headers = {}) => send(path, { method: "PUT", json: { tags }, headers });
    const etag = await etagOf(send, path);
    const response = await put(["C#", "dev tools", "#2024", "c#"]);
    expect([response.status, await response.json()]).toEqual([200, { tags: ["C#", "dev-tools", "2024"] }]);
    expect((await read(send, bookmark)).description).toBe("About js.\n#C# #dev-tools #2024");
    await expectProblem(await put([], { "if-match": etag }), 412);
    const unchanged = await etagOf(send, path);
    expect((await put(["2024", "C#", "dev-tools"])).status).toBe(200);
    expect(await etagOf(send, path)).toBe(unchanged);
    expect((await put([])).status).toBe(200);
    expect((await read(send, bookmark)).description).toBe("About js.");
  });

  test("are refused when they are not valid names", async () => {
    const bookmark = await create(send);
    const put = (json: unknown) => send(`${pathOf(bookmark)}/tags`, { method: "PUT", json });
    await expectErrors(await put({}), { pointer: "/tags", code: "missing" });
    await expectErrors(
      await put({ tags: ["#", 1, "x".repeat(201), "\u0000", "fine"] }),
      { pointer: "/tags/0", code: "tag_invalid" },
      { pointer: "/tags/1", code: "wrong_type" },
      { pointer: "/tags/2", code: "too_long" },
      { pointer: "/tags/3", code: "bad_character" },
    );
    await expectErrors(await put({ tags: Array(1_001).fill("a") }), {
      pointer: "/tags",
      code: "out_of_range",
    });
    expect(await read(send, bookmark)).toEqual(bookmark);
  });
});

describeContract("Renaming a tag", (service) => {
  const start = async () => (await service.startApp()).request;

  test("changes all bookmarks that have it, with the tags below it", async () => {
    const send = await start();
    const ids = await createAll(send, [
      "About #dev.\n#Dev/JS #C#",
      "#development",
      "#DEV #code",
      "no tags",
      "#dev/css/grid",
    ]);
    expect(await renameTag(send, "dev", "Code", "&dry_run=true")).toEqual({ changed: 3, undo: null });
    const { changed, undo } = await renameTag(send, "dev", "Code");
    expect(changed).toBe(3);
    expect(undo).toMatch(/^\/api\/undo\/[0-9a-f]{32}\/$/);
    expect(await descriptionsOf(send, ids)).toEqual([
      "About dev.\n#C# #Code #Code/JS",
      "#development",
      "#Code",
      "no tags",
      "#Code/css/grid",
    ]);
  });

  test("changes a spelling, and nothing when there is nothing to change", async () => {
    const send = await start();
    const ids = await createAll(send, ["#dev #DEV/js"]);
    expect(await renameTag(send, "dev", "Dev")).toMatchObject({ changed: 1 });
    expect(await descriptionsOf(send, ids)).toEqual(["#Dev #Dev/js"]);
    expect(await renameTag(send, "DEV", "Dev")).toEqual({ changed: 0, undo: null });
    expect(await renameTag(send, "dev", "dev/old")).toMatchObject({ changed: 1 });
    expect(await descriptionsOf(send, ids)).toEqual(["#dev/old #dev/old/js"]);
  });

  test("finds at once what has just been written", async () => {
    const send = await start();
    for (let round = 0; round < 20; round++) {
      const [id = 0] = await createAll(send, [`#round${round}`]);
      expect(await renameTag(send, `round${round}`, "done")).toMatchObject({ changed: 1 });
      expect(await descriptionsOf(send, [id])).toEqual(["#done"]);
    }
  });

  test("refuses an unknown tag and an invalid name", async () => {
    const send = await start();
    await createAll(send, ["#dev"]);
    const patch = (query: string, json: unknown) => send(`/api/tags/${query}`, { method: "PATCH", json });
    await expectProblem(await patch("?name=de", { name: "x" }), 404);
    await expectProblem(await patch("?name=de&dry_run=true", { name: "x" }), 404);
    await expectErrors(await patch("", { name: "x" }), { parameter: "name", code: "missing" });
    await expectErrors(
      await patch("?name=%23&dry_run=yes", { name: " " }),
      { parameter: "name", code: "tag_invalid" },
      { parameter: "dry_run", code: "unknown_value" },
      { pointer: "/name", code: "tag_invalid" },
    );
  });
});

describeContract("Deleting a tag", (service) => {
  test("removes it from all bookmarks, and keeps the tags below it", async () => {
    const { request: send } = await service.startApp();
    const ids = await createAll(send, ["About #dev.\n#Dev/JS #DEV", "#dev", "#js"]);
    const remove = (query: string) => json<Changed>(send, `/api/tags/${query}`, { method: "DELETE" });
    expect(await remove("?name=dev&dry_run=true")).toEqual({ changed: 2, undo: null });
    expect(await remove("?name=%23dev")).toMatchObject({ changed: 2, undo: expect.any(String) });
    expect(await descriptionsOf(send, ids)).toEqual(["About dev.\n#Dev/JS", "", "#js"]);
    await expectProblem(await send("/api/tags/?name=dev", { method: "DELETE" }), 404);
  });
});
