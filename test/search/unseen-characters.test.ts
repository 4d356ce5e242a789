import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApp, type TestApp } from "../support/server/app.ts";
import { engines } from "../support/server/engines.ts";

/** Titles, and queries that find each, and it alone. */
const TITLES: readonly (readonly [title: string, ...queries: string[]])[] = [
  [
    "Ge\u00adsamt\u00adkonzept der Stadt",
    "gesamtkonzept",
    "Ge\u00adsamtkonzept",
    "gesamt*",
    '"gesamtkonzept der"',
  ],
  ["zero\u200bwidth space", "zerowidth", "zero\u200b\u2060width", "title:zerowidth"],
  ["plainword", "plain\u00adword", "\u200fplainword\u200e", "pla\ufeffin*"],
  ["שָׁלוֹם עוֹלָם", "שלום", "שָׁלוֹם", '"שלום עולם"', "שלו*"],
  ["ספר ישן", "סֵפֶר"],
  ["مُحَمَّدٌ رَسُول", "محمد", "مُحمّد", '"محمد رسول"'],
  ["كتـــاب قديم", "كتاب", "كِتَابٌ", "كتـاب"],
  ["می\u200cخواهم بدانم", "می\u200cخواهم", "میخواهم"],
  ["東京\u200b大学", "京大", "東京大学"],
  ["Ratatouille: a recipe", "Ratatouille: a recipe", "ratatouille:a", "Ratatouille:"],
  ["Re: deep river", "Re: deep river", "re:deep", '"Re: deep"'],
  ["Runs at localhost:8080", "localhost:8080", "localhost:80*", "Localhost: 8080"],
];

describe.each(engines)("A search ($name)", (engine) => {
  const toEnd = new AsyncDisposableStack();
  let app: TestApp;
  beforeAll(async () => {
    const { url } = toEnd.use(await engine.createDatabase());
    app = await startApp({ DATABASE_URL: url, BOOKMARKS_ACCESS: "open" });
    toEnd.defer(() => app.close());
    for (const [index, [title]] of TITLES.entries())
      await app.request("/bookmarks/", {
        method: "POST",
        json: { title, description: "", url: `https://example.com/${index}` },
      });
  });
  afterAll(() => toEnd.disposeAsync());

  test.each(TITLES)("finds %j by its words as they are seen", async (title, ...queries) => {
    for (const query of queries) {
      const q = encodeURIComponent(query);
      const found = (await (await app.request(`/bookmarks/?q=${q}`)).json()) as { title: string }[];
      expect([query, found.map((one) => one.title)]).toEqual([query, [title]]);
      const page = await (await app.request(`/library?q=${q}`)).text();
      expect([query, page.match(/https:\/\/example\.com\/\d+(?=")/g)?.length]).toEqual([query, 1]);
    }
  });
});
