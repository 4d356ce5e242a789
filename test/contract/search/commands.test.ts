import { expect, test } from "bun:test";
import { describeContract } from "../../support/server/contract.ts";
import { run } from "../../support/server/server.ts";

describeContract("The search commands", (service) => {
  const commonplace = (...words: string[]) => run(words, { env: { DATABASE_URL: service.databaseUrl } });

  test("add saves a bookmark, and search finds it, with a server running", async () => {
    const added = await commonplace(
      "add",
      "https://example.com/river",
      "--title",
      "Deep river",
      "--tag",
      "R&D",
      "--tag",
      "dev/js",
    );
    expect(added).toMatchObject({ code: 0, stderr: "" });
    expect(added.stdout).toMatch(/^Saved https:\/\/example\.com\/river as bookmark \d+\.\n$/);
    const found = await commonplace("search", "river", "#r&d");
    expect(found.code).toBe(0);
    expect(found.stdout).toMatch(
      /^Deep river\n {2}https:\/\/example\.com\/river\n {2}\d{4}-\d\d-\d\d #R&D #dev\/js\n$/,
    );
    expect(found.stderr).toBe("1 found.\n");
    const json = await commonplace("search", "site:example.com", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject([{ title: "Deep river", tags: ["R&D", "dev/js"] }]);
    const response = await service.send("/bookmarks/?q=river");
    expect(await response.json()).toMatchObject([{ title: "Deep river" }]);
  });

  test("add names the bookmarks that the page has already", async () => {
    const url = "https://again.example/page";
    const first = /bookmark (\d+)/.exec((await commonplace("add", url, "--title", "Once")).stdout)?.[1];
    const again = await commonplace("add", "http://www.again.example/page/?utm_source=x#top");
    expect(again.code).toBe(0);
    const second = /bookmark (\d+)\.\n$/.exec(again.stdout)?.[1];
    const day = new Date().toISOString().slice(0, 10);
    expect(again.stderr).toStartWith(
      `This page was saved before:\n  ${first}  ${day}  Once  <${url}>\nTo merge them, `,
    );
    const third = await commonplace("add", url, "--json");
    expect(third).toMatchObject({ code: 0, stderr: "" });
    for (const id of [first, second, JSON.parse(third.stdout).id])
      await service.send(`/bookmarks/${id}`, { method: "DELETE" });
  });

  test("add accepts an address without its scheme, as the library does", async () => {
    const added = await commonplace("add", "bare.example/page", "--json");
    expect(added).toMatchObject({ code: 0, stderr: "" });
    const { id, ...bookmark } = JSON.parse(added.stdout);
    expect(bookmark).toMatchObject({ title: "https://bare.example/page", url: "https://bare.example/page" });
    expect((await commonplace("add", "page")).code).toBe(2);
    await service.send(`/bookmarks/${id}`, { method: "DELETE" });
  });

  test("search tells how to exclude a word", async () => {
    const wrong = await commonplace("search", "river", "-deep");
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("commonplace search -- river -lake");
    expect((await commonplace("search", "river", "--limit", "x")).stderr).not.toContain("-- river");
  });

  test("search reports that nothing matches, and the position of an error in a query", async () => {
    expect(await commonplace("search", "nowhere")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "0 found.\n",
    });
    const wrong = await commonplace("search", "a", "(b");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("This parenthesis is not closed.\n  a (b\n    ^");
    expect((await commonplace("search", "a", "--limit", "0")).code).toBe(2);
    expect((await commonplace("search", "--", "a", "-b")).code).toBe(1);
  });

  test("search names others that find something when it finds nothing", async () => {
    expect(await commonplace("search", "rivre", "site:example.com")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "0 found. These searches find something:\n  river site:example.com  (1)\n",
    });
    expect(await commonplace("search", "river", "after:2199")).toMatchObject({
      code: 1,
      stderr: "0 found. These searches find something:\n  river  (1)\n",
    });
    expect((await commonplace("search", "rivulet")).stderr).toEndWith("find something:\n  riv*\n");
    expect((await commonplace("search", "riv", "site:example.com")).stderr).toContain(
      "find something:\n  riv* site:example.com  (1)\n",
    );
    const json = await commonplace("search", "rivre", "--json");
    expect(json).toMatchObject({ code: 1, stdout: "[]\n", stderr: "" });
  });

  test("add refuses an invalid bookmark", async () => {
    expect((await commonplace("add", "ftp://example.com/")).code).toBe(2);
    expect((await commonplace("add", "https://example.com/", "--tag", "#")).code).toBe(2);
  });

  test("reindex rebuilds the index, and check compares it with the records", async () => {
    expect(await commonplace("reindex")).toMatchObject({
      code: 0,
      stdout: "The search index has 1 record.\n",
    });
    expect((await commonplace("search", "river")).code).toBe(0);
    const checked = await commonplace("check");
    expect(checked.stdout).toContain("every record is indexed");
    expect(checked.code).toBe(0);
  });
});
