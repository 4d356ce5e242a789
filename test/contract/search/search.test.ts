import { beforeAll, expect, test } from "bun:test";
import { describeContract, type Service } from "../../support/server/contract.ts";

const BOOKMARKS = [
  ["Zürich, a guide", "https://www.example.com/zurich?x=1", "The lake and the old town.\n#travel/ch #2024"],
  ["C++ and rivers", "https://gist.github.com/ada/cpp_notes", "A deep river machine.\n#dev/cpp #R&D"],
  ["東京大学", "https://xn--mnchen-3ya.de/", "About c, and a river that is deep."],
  ["Straße nach Łódź", "https://github.com/node.js/next-js", "node.js, next-js\n#Dev"],
  ["Other", "https://example.org/", "zurich is mentioned; java and JavaScript"],
] as const;

describeContract("GET /bookmarks/?q=", (service) => {
  const ids: number[] = [];
  beforeAll(async () => {
    for (const [title, url, description] of BOOKMARKS) {
      const response = await service.send("/bookmarks/", {
        method: "POST",
        json: { title, url, description },
      });
      expect(response.status).toBe(201);
      ids.push(((await response.json()) as { id: number }).id);
    }
  });

  /** The places of the matches in {@link BOOKMARKS}, in order. */
  async function find(query: string, more = ""): Promise<number[]> {
    const response = await service.send(`/bookmarks/?q=${encodeURIComponent(query)}${more}`);
    expect(response.status).toBe(200);
    const found = (await response.json()) as { id: number }[];
    if (more === "") expect(response.headers.get("search-matches")).toBe(String(found.length));
    return found.map(({ id }) => ids.indexOf(id));
  }

  test.each([
    ["zurich", [0, 4]],
    ["ZÜRICH", [0, 4]],
    ["strasse", [3]],
    ["lodz", [3]],
    ["c++", [1]],
    ["c", [1, 2]],
    ["京", [2]],
    ["東京", [2]],
    ["大学", [2]],
    ["river", [2, 1]],
    ["deep river", [2, 1]],
    ['"deep river"', [1]],
    ["node.js", [3]],
    ["jav*", [4]],
    ["java", [4]],
    ["jav", []],
    ["river -machine", [2]],
    ["NOT river", [4, 3, 0]],
    ["machine OR lake", [1, 0]],
    ["(machine OR lake) -old", [1]],
    ["#dev", [3, 1]],
    ["#Dev/cpp", [1]],
    ["tag:=dev", [3]],
    ["tag:none", [4, 2]],
    ["#2024", [0]],
    ["#r&d", [1]],
    ["site:github.com", [3, 1]],
    ["site:gist.github.com", [1]],
    ["site:münchen.de", [2]],
    ["github.com", [3, 1]],
    ["title:zurich", [0]],
    ["note:zurich", [4]],
    ["url:zurich", [0]],
    ["after:2000", [4, 3, 2, 1, 0]],
    ["before:2000", []],
    ["river before:2000", []],
    ["http://example.com/zurich/?x=1&utm_source=mail", [0]],
    ["&", []],
    ["😀", []],
  ])("%j finds %j", async (query, places) => {
    expect(await find(query)).toEqual(places);
  });

  test("an empty q counts as absent", async () => {
    const plain = await service.send("/bookmarks/");
    const empty = await service.send("/bookmarks/?q=%20");
    expect(await empty.text()).toBe(await plain.text());
    expect(empty.headers.has("search-matches")).toBe(false);
  });

  test("sorts by age and by title, with q and without", async () => {
    expect(await find("river", "&sort=oldest")).toEqual([1, 2]);
    expect(await find("river", "&sort=newest")).toEqual([2, 1]);
    expect(await find("zurich", "&sort=title")).toEqual([4, 0]);
    const all = async (sort: string) =>
      ((await (await service.send(`/bookmarks/?sort=${sort}`)).json()) as { id: number }[]).map(({ id }) =>
        ids.indexOf(id),
      );
    expect(await all("oldest")).toEqual([0, 1, 2, 3, 4]);
    expect(await all("newest")).toEqual([4, 3, 2, 1, 0]);
    expect(await all("relevance")).toEqual([4, 3, 2, 1, 0]);
    expect(await all("title")).toEqual([1, 4, 3, 0, 2]);
  });

  test.each(["relevance", "newest", "oldest", "title"])(
    "pages by cursor in the order of %s",
    async (sort) => {
      for (const query of ["q=river%20OR%20zurich%20OR%20site:github.com&", ""]) {
        const whole = await service.send(`/bookmarks/?${query}sort=${sort}`);
        const expected = ((await whole.json()) as { id: number }[]).map(({ id }) => id);
        const found: number[] = [];
        for (
          let path: string | undefined = `/bookmarks/?${query}sort=${sort}&limit=2`;
          path !== undefined;
        ) {
          const page = await service.send(path);
          expect(page.status).toBe(200);
          found.push(...((await page.json()) as { id: number }[]).map(({ id }) => id));
          const link = /^<([^>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
          path = link && new URL(link).pathname + new URL(link).search;
        }
        expect(found).toEqual(expected);
      }
    },
  );

  test("finds what was written just before, and no longer what was changed or deleted", async () => {
    for (let round = 1; round <= 30; round++) {
      const word = `fresh${round}word`;
      const response = await service.send("/bookmarks/", {
        method: "POST",
        json: { title: word, url: "https://example.net/fresh" },
      });
      const { id } = (await response.json()) as { id: number };
      expect(await idsOf(service, word)).toEqual([id]);
      await service.send(`/bookmarks/${id}`, { method: "PATCH", json: { title: `${word}x` } });
      expect(await idsOf(service, word)).toEqual([]);
      await service.send(`/bookmarks/${id}`, { method: "DELETE" });
      expect(await idsOf(service, `${word}x`)).toEqual([]);
    }
  });

  test("has an ETag that is valid until something changes", async () => {
    const first = await service.send("/bookmarks/?q=river&limit=5");
    const etag = first.headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    const again = () => service.send("/bookmarks/?q=river&limit=5", { headers: { "if-none-match": etag } });
    expect((await again()).status).toBe(304);
    const made = await service.send("/bookmarks/", {
      method: "POST",
      json: { title: "Another river", url: "https://example.net/r" },
    });
    expect((await again()).status).toBe(200);
    await service.send(new URL(made.headers.get("location") ?? "", "http://x").pathname, {
      method: "DELETE",
    });
  });

  test.each([
    ['q="deep', "unclosed_quote", 0],
    ["q=(deep", "unclosed_group", 0],
    ["q=a%20)", "unexpected", 2],
    ["q=😀%20OR", "unexpected", 4],
    ["q=a%20after:May", "bad_date", 8],
    [`q=${"a%20".repeat(500)}b`, "too_long", 1_000],
    [`q=${"a%20".repeat(32)}b`, "too_complex", 64],
    [`q=${"(".repeat(9)}a${")".repeat(9)}`, "too_complex", 8],
  ])("%s is 422 with a code and a position", async (query, code, position) => {
    const response = await service.send(`/bookmarks/?${query}`);
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect(errors).toEqual([expect.objectContaining({ parameter: "q", code, position })]);
  });

  test.each([
    ["sort=best", "unknown_value"],
    ["include=version", "unknown_value"],
    ["q=a&cursor=x", "bad_cursor"],
    ["q=a&q=b", "repeated"],
  ])("%s is 422", async (query, code) => {
    const response = await service.send(`/bookmarks/?${query}`);
    expect(response.status).toBe(422);
    expect(((await response.json()) as { errors: { code: string }[] }).errors[0]?.code).toBe(code);
  });

  test("a cursor of one order is invalid in another", async () => {
    const page = await service.send("/bookmarks/?q=river&limit=1");
    const cursor = /cursor=([^&>]+)/.exec(page.headers.get("link") ?? "")?.[1];
    expect(cursor).toBeDefined();
    expect((await service.send(`/bookmarks/?q=river&limit=1&cursor=${cursor}`)).status).toBe(200);
    expect((await service.send(`/bookmarks/?q=river&limit=1&sort=title&cursor=${cursor}`)).status).toBe(422);
    expect((await service.send(`/bookmarks/?limit=1&cursor=${cursor}`)).status).toBe(422);
  });

  test("include adds tags and the time of the last change, to lists and to one", async () => {
    const [found] = (await (
      await service.send("/bookmarks/?q=machine&include=tags,updated_at")
    ).json()) as object[];
    expect(Object.keys(found ?? {})).toEqual([
      "id",
      "title",
      "url",
      "description",
      "created_at",
      "tags",
      "updated_at",
    ]);
    expect(found).toMatchObject({ tags: ["dev/cpp", "R&D"] });
    const one = await service.send(`/bookmarks/${ids[1]}?include=tags`);
    expect(await one.json()).toMatchObject({ tags: ["dev/cpp", "R&D"] });
    const list = (await (await service.send("/bookmarks/?include=tags&limit=1")).json()) as object[];
    expect(Object.keys(list[0] ?? {})).toEqual(["id", "title", "url", "description", "created_at", "tags"]);
  });
});

async function idsOf(service: Service, query: string): Promise<number[]> {
  const response = await service.send(`/bookmarks/?q=${encodeURIComponent(query)}`);
  expect(response.headers.has("search-behind")).toBe(false);
  return ((await response.json()) as { id: number }[]).map(({ id }) => id);
}
