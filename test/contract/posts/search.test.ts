import { beforeAll, expect, test } from "bun:test";
import type { PostResponse } from "../../../src/posts/post.ts";
import { DRAFTS, describeBlog, POSTS } from "../../support/records/blog.ts";
import type { Send } from "../../support/requests/send.ts";

describeBlog("?search= on posts and drafts", (blog) => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    for (const [title, content, published] of [
      ["Rivers", "A deep river in Zürich.", true],
      ["Tea", "About a river, and tea.", true],
      ["Hidden river", "Not yet.", false],
      ["Bread", "Flour and water.", true],
    ] as const) {
      const response = await blog.editor(POSTS, { method: "POST", json: { title, content, published } });
      ids[title] = ((await response.json()) as PostResponse).id;
    }
  });

  async function titles(send: Send, path: string): Promise<string[]> {
    const response = await send(path);
    expect(response.status).toBe(200);
    const { count, results } = (await response.json()) as { count: number; results: PostResponse[] };
    expect(count).toBeGreaterThanOrEqual(results.length);
    return results.map(({ title }) => title);
  }

  test("finds posts by the words of titles and contents, the best first", async () => {
    expect(await titles(blog.anyone, `${POSTS}?search=river*`)).toEqual(["Rivers", "Tea"]);
    expect(await titles(blog.anyone, `${POSTS}?search=zurich`)).toEqual(["Rivers"]);
    expect(await titles(blog.anyone, `${POSTS}?search=text:tea`)).toEqual(["Tea"]);
    expect(await titles(blog.anyone, `${POSTS}?search=author:editor`)).toEqual(["Bread", "Tea", "Rivers"]);
    expect(await titles(blog.anyone, `${POSTS}?search=river*&ordering=-title`)).toEqual(["Tea", "Rivers"]);
    const both = `${POSTS}?search=river*&ordering=`;
    expect(await titles(blog.anyone, `${both}title,-created_at`)).toEqual(["Rivers", "Tea"]);
    expect(await titles(blog.anyone, `${both}-title,created_at`)).toEqual(["Tea", "Rivers"]);
    expect((await blog.anyone(`${both}title`)).headers.get("x-total-count")).toBe("2");
    expect(await titles(blog.anyone, `${POSTS}?search=%26`)).toEqual([]);
  });

  test("finds drafts only among the drafts", async () => {
    expect(await titles(blog.editor, `${DRAFTS}?search=river`)).toEqual(["Hidden river"]);
    expect((await blog.anyone(`${DRAFTS}?search=river`)).status).toBe(401);
  });

  test("has pages of the same envelope", async () => {
    const first = await (await blog.anyone(`${POSTS}?search=river*&page_size=1`)).json();
    expect(first).toMatchObject({ count: 2, previous: null, results: [{ title: "Rivers" }] });
    const { next } = first as { next: string };
    const last = await (await blog.anyone(new URL(next).pathname + new URL(next).search)).json();
    expect(last).toMatchObject({ count: 2, next: null, results: [{ title: "Tea" }] });
    expect((await blog.anyone(`${POSTS}?search=river*&page=3&page_size=1`)).status).toBe(404);
  });

  test("follows every write, including comments and publications", async () => {
    await blog.editor(`${POSTS}${ids.Bread}/`, {
      method: "PATCH",
      json: { content: "Flour, water and xylitol." },
    });
    expect(await titles(blog.anyone, `${POSTS}?search=xylitol`)).toEqual(["Bread"]);
    await blog.editor(`${POSTS}${ids.Tea}/comments/`, {
      method: "POST",
      json: { author: "Grace", text: "Quokka!" },
    });
    expect(await titles(blog.anyone, `${POSTS}?search=quokka`)).toEqual(["Tea"]);
    await blog.editor(`${DRAFTS}${ids["Hidden river"]}/`, { method: "PATCH", json: { published: true } });
    expect(await titles(blog.anyone, `${POSTS}?search=title:river`)).toEqual(["Hidden river"]);
    expect(await titles(blog.editor, `${DRAFTS}?search=river`)).toEqual([]);
    await blog.editor(`${POSTS}${ids["Hidden river"]}/`, { method: "DELETE" });
    expect(await titles(blog.anyone, `${POSTS}?search=title:river`)).toEqual([]);
  });

  test("finds posts by the tags of their publications", async () => {
    const retag = async (tags: readonly string[]) => {
      const path = `${POSTS}${ids.Bread}/publication/`;
      expect((await blog.editor(path, { method: "PATCH", json: { tags } })).status).toBe(200);
    };
    await retag(["Baking/Sourdough", "R&D"]);
    for (const query of ["#baking", "tag:baking/sourdough", "#R%26D", "sourdough", "flour -tag:none"])
      expect(await titles(blog.anyone, `${POSTS}?search=${query.replace("#", "%23")}`)).toEqual(["Bread"]);
    expect(await titles(blog.anyone, `${POSTS}?search=tag:=baking`)).toEqual([]);
    expect(await titles(blog.anyone, `${POSTS}?search=tag:none`)).toEqual(["Tea", "Rivers"]);
    await retag(["cakes"]);
    expect(await titles(blog.anyone, `${POSTS}?search=%23baking`)).toEqual([]);
    expect(await titles(blog.anyone, `${POSTS}?search=%23cakes`)).toEqual(["Bread"]);
    await retag([]);
    expect(await titles(blog.anyone, `${POSTS}?search=%23cakes`)).toEqual([]);
  });

  test("an error of the query is 422 with a code and a position", async () => {
    const response = await blog.anyone(`${POSTS}?search=a%20on:x`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ parameter: "search", code: "bad_date", position: 5 }],
    });
  });
});
