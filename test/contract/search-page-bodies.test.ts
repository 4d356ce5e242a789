import { expect, test } from "bun:test";
import { describeContract } from "../support/server/contract.ts";

/** Longer than its share of a page of twenty, so that it is read alone. */
const LONG = `quartz ${"x".repeat(250_000)}`;

describeContract("A page of matches", (service) => {
  async function create(title: string, description: string): Promise<string> {
    const made = await service.send("/bookmarks/", {
      method: "POST",
      json: { title, url: "https://example.com/", description },
    });
    return new URL(made.headers.get("location") ?? "", "http://x").pathname;
  }

  /** The bodies of bookmarks, fetched one by one, as an array. */
  async function bodiesOf(paths: readonly string[], more = ""): Promise<string> {
    const bodies = paths.map(async (path) => (await service.send(path + more)).text());
    return `[${(await Promise.all(bodies)).join(",")}]`;
  }

  async function page(query: string): Promise<string> {
    return (await service.send(`/bookmarks/?${query}`)).text();
  }

  test("has the bytes of each bookmark, however long it is", async () => {
    const older = await create('Quartz \u2028 "clocks" \u0001 é 🜚', "two\nlines\n#time #2024");
    const newer = await create("Quartz watches", "");
    expect(await page("q=quartz&limit=20")).toBe(await bodiesOf([newer, older]));
    expect(await page("q=quartz&limit=1")).toBe(await bodiesOf([newer]));
    expect(await page("q=quartz&limit=20&include=tags,updated_at")).toBe(
      await bodiesOf([newer, older], "?include=tags,updated_at"),
    );
    const long = await create("Quartz", LONG);
    expect(await page("q=quartz&limit=20")).toBe(await bodiesOf([long, newer, older]));
    expect(await page("q=quartz")).toBe(await bodiesOf([long, newer, older]));
  });

  test("without matches is an empty array", async () => {
    expect(await page("q=nowhere&limit=20")).toBe("[]");
  });
});
