import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApp, type TestApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

/** From the oldest to the newest. */
const BOOKMARKS = [
  { title: "🍋 cake", description: "" },
  { title: "Cakes of Sicily", description: "Lemons 🍋 from Amalfi" },
  { title: "Deep 🌊 river", description: "#🍋" },
  { title: "I ❤️ rivers", description: "#️⃣ and 1️⃣" },
  { title: "Thanks 👍🏽", description: "👩🏽‍🚀 🇩🇪" },
] as const;

describe.each(engines)("A search for emoji ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  let app: TestApp;
  beforeAll(async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    app = await startApp({ DATABASE_URL: url, BOOKMARKS_ACCESS: "open" });
    toEnd.defer(() => app.close());
    for (const [index, { title, description }] of BOOKMARKS.entries())
      await app.request("/bookmarks/", {
        method: "POST",
        json: { title, description, url: `https://example.com/${index}` },
      });
  });
  afterAll(() => toEnd.disposeAsync());

  test.each([
    ["🍋", [1, 3, 2]],
    ["🍋 cake", [1]],
    ["🍋cake", [1]],
    ['"🍋 cake"', [1]],
    ["🍋 cak*", [1, 2]],
    ["🍋*", [1, 3, 2]],
    ["cake -🍋", []],
    ["🍋 OR 🌊", [3, 1, 2]],
    ["title:🍋", [1]],
    ["note:🍋", [2]],
    ["#🍋", [3]],
    ["tag:🍋", [3]],
    ["🍋 🌊", [3]],
    ['"deep river"', [3]],
    ["❤", [4]],
    ["❤\ufe0f", [4]],
    ["#\ufe0f\u20e3", [4]],
    ["1\u20e3", [4]],
    ["👍", [5]],
    ["👍🏿", [5]],
    ["👩‍🚀", [5]],
    ["🚀", []],
    ["👩", []],
    ["🇩🇪", [5]],
    ["🇫🇷", []],
  ] as const)("%s finds %j", async (q, ids) => {
    const found = await app.request(`/bookmarks/?q=${encodeURIComponent(q)}`);
    expect(((await found.json()) as { id: number }[]).map(({ id }) => id)).toEqual([...ids]);
  });

  test("marks them, and finds titles while a query is typed", async () => {
    const found = await app.request(`/bookmarks/search?q=${encodeURIComponent("👍 thanks")}`);
    const { results } = (await found.json()) as { results: { highlights: unknown[] }[] };
    expect(results[0]?.highlights).toEqual([
      { field: "title", start: 0, end: 6 },
      { field: "title", start: 7, end: 9 },
    ]);
    const suggested = await app.request(`/bookmarks/suggest?q=${encodeURIComponent("🌊 riv")}`);
    expect(await suggested.json()).toMatchObject({ bookmarks: [{ id: 3 }] });
    const page = await app.request(`/library?q=${encodeURIComponent("🍋 cak")}`, {
      headers: { accept: "text/html" },
    });
    expect((await page.text()).match(/<mark>[^<]*<\/mark>/g)).toContain("<mark>🍋</mark>");
  });

  test("takes each of many as a term", async () => {
    const many = Array.from({ length: 33 }, (_, index) => String.fromCodePoint(0x1f345 + index)).join("");
    const { status } = await app.request(`/bookmarks/?q=${encodeURIComponent(many)}`);
    expect(status).toBe(422);
  });
});
