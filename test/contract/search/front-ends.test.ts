import { beforeAll, describe, expect, test } from "bun:test";
import { parseQuery } from "../../../src/search/query/parser.ts";
import { highlightsIn } from "../../../src/search/text/found-words.ts";
import { describeContract } from "../../support/server/contract.ts";

const BOOKMARKS = [
  ["Java 😀 for Zürich", "https://docs.java.com/zurich", "On 東京大学 and java.\n#dev/java #R&D"],
  ["JavaScript", "https://javascript.info/", "Not Java. #Dev/js"],
  ["Tea", "https://www.tea.example/green?utm_source=x", "#Dev/js"],
] as const;

describeContract("Search for front ends", (service) => {
  const ids: number[] = [];
  beforeAll(async () => {
    for (const [title, url, description] of BOOKMARKS) {
      const response = await service.send("/bookmarks/", {
        method: "POST",
        json: { title, url, description },
      });
      ids.push(((await response.json()) as { id: number }).id);
    }
  });

  async function get(path: string): Promise<Record<string, unknown>> {
    const response = await service.send(path);
    expect(response.status).toBe(200);
    return (await response.json()) as Record<string, unknown>;
  }

  test("GET /bookmarks/search shows matches, what to highlight, and their tags", async () => {
    const answer = await get(`/bookmarks/search?q=${encodeURIComponent("java")}`);
    expect(answer).toMatchObject({
      matches: 2,
      more: false,
      tags: [
        { name: "dev/java", count: 1 },
        { name: "Dev/js", count: 1 },
        { name: "R&D", count: 1 },
      ],
    });
    const [first] = answer.results as Record<string, unknown>[];
    expect(first).toEqual({
      bookmark: expect.objectContaining({ id: ids[0], description: BOOKMARKS[0][2] }),
      tags: ["dev/java", "R&D"],
      text: "On 東京大学 and java.",
      inside: null,
      highlights: [
        { field: "title", start: 0, end: 4 },
        { field: "url", start: 13, end: 17 },
        { field: "text", start: 12, end: 16 },
      ],
    });
  });

  test("GET /bookmarks/search pages by its Link, and lists all without q", async () => {
    const found: number[] = [];
    for (let path: string | undefined = "/bookmarks/search?limit=2"; path !== undefined; ) {
      const response = await service.send(path);
      const { results, matches } = (await response.json()) as {
        results: { bookmark: { id: number } }[];
        matches: number;
      };
      expect(matches).toBe(3);
      found.push(...results.map(({ bookmark }) => bookmark.id));
      const link = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
      path = link && new URL(link).pathname + new URL(link).search;
    }
    expect(found).toEqual(ids.toReversed());
  });

  test("GET /bookmarks/suggest completes tags, sites and titles", async () => {
    await get("/bookmarks/search?q=java");
    expect(await get("/bookmarks/suggest?q=dev")).toMatchObject({
      tags: [
        { name: "Dev/js", count: 2 },
        { name: "dev/java", count: 1 },
      ],
      sites: [],
    });
    expect(await get("/bookmarks/suggest?q=ja")).toMatchObject({
      tags: [],
      sites: [{ host: "javascript.info", count: 1 }],
      bookmarks: [{ id: ids[1] }, { id: ids[0] }],
    });
    expect(await get("/bookmarks/suggest?q=%23r%26")).toMatchObject({ tags: [{ name: "R&D", count: 1 }] });
    for (const before of ["-", "(", '-("', "tag:", "TAG:=", "river -#"])
      expect(await get(`/bookmarks/suggest?q=${encodeURIComponent(`${before}r&`)}`)).toMatchObject({
        tags: [{ name: "R&D", count: 1 }],
      });
    for (const before of ["https://", "HTTP://www.", "site:", "-site:", "Site:https://www."])
      expect(await get(`/bookmarks/suggest?q=${encodeURIComponent(`${before}javas`)}`)).toMatchObject({
        sites: [{ host: "javascript.info", count: 1 }],
      });
    expect(await get("/bookmarks/suggest?q=")).toEqual({ tags: [], sites: [], bookmarks: [] });
    expect((await service.send("/bookmarks/suggest")).status).toBe(422);
    const typed = (text: string) => service.send(`/bookmarks/suggest?q=${encodeURIComponent(text)}`);
    expect((await typed("😀".repeat(1_000))).status).toBe(200);
    expect((await (await typed("😀".repeat(1_001))).json()) as unknown).toMatchObject({
      status: 422,
      errors: [{ parameter: "q", code: "too_long", detail: "At most 1000 characters; this has 1001." }],
    });
  });

  test("GET /bookmarks/check finds the page, and the URL itself", async () => {
    expect(
      await get(`/bookmarks/check?url=${encodeURIComponent("http://tea.example/green/#top")}`),
    ).toMatchObject({
      exact: null,
      same: [{ id: ids[2] }],
    });
    expect(await get(`/bookmarks/check?url=${encodeURIComponent(BOOKMARKS[2][1])}`)).toMatchObject({
      exact: ids[2],
    });
    expect(await get("/bookmarks/check?url=https%3A%2F%2Ftea.example%2Fblack")).toEqual({
      exact: null,
      same: [],
    });
    expect((await service.send("/bookmarks/check?url=tea")).status).toBe(422);
    expect((await service.send("/bookmarks/check")).status).toBe(422);
  });
});

describe("Highlights", () => {
  const vocabulary = { fields: { title: "title" }, hasTags: true, hasSites: true } as const;
  test.each([
    ["river", "A river, the RIVER and rivers", ["river", "RIVER"]],
    ["riv*", "A river and rivers", ["river", "rivers"]],
    ['"deep river"', "deep, river; deep old river", ["deep, river"]],
    ["zurich", "😀 Zürich", ["Zürich"]],
    ["東京", "😀 東京大学", ["東京"]],
    ["京大学", "東京大学", ["京大学"]],
    ["学", "東京大学", ["学"]],
    ["京", "東京大学, 京都", ["京", "京"]],
    ["が", "か\u3099き", ["か\u3099"]],
    ["ガ", "ｶﾞ", ["ｶﾞ"]],
    ["c", "C++ and c", ["C++", "c"]],
    ["c++", "C++ and c", ["C++"]],
    ["a -b", "a b", ["a"]],
    ["a OR b", "a b", ["a", "b"]],
    ["title:a b", "a b", ["b"]],
    ["#dev", "dev", []],
  ])("of %j in %j are %j", (query, text, parts) => {
    const { root } = parseQuery(query, vocabulary);
    const characters = Array.from(text);
    const ranges = highlightsIn(text, root, "body");
    expect(ranges.map(({ start, end }) => characters.slice(start, end).join(""))).toEqual(parts);
  });
});
