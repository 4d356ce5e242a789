import { beforeAll, expect, test } from "bun:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { insertComment } from "../../../src/posts/comments/comment-store.ts";
import { THREAD_PAGE_SIZE } from "../../../src/posts/comments/thread.ts";
import type { CommentStatus } from "../../../src/records/comment-members.ts";
import {
  COMMENTS,
  createComment,
  createPost,
  describeBlog,
  POSTS,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";

const COUNT = 2 * THREAD_PAGE_SIZE + 5;

describeBlog("A post with more comments than fit on a page", (blog) => {
  const { editor, anyone } = blog;
  const path = "/posts/much-discussed";
  let postId = 0;
  let ids: readonly number[] = [];

  beforeAll(async () => {
    postId = (await createPost(editor, { title: "Much discussed", content: "The *text*." })).id;
    await storeComments(postId, COUNT);
    // Nobody sees these, and no number counts them.
    await storeComments(postId, 1, "waiting");
    await storeComments(postId, 2, "rejected");
    ids = await idsOf(postId);
  });

  async function storeComments(post: number, count: number, status: CommentStatus = "shown"): Promise<void> {
    await blog.database.write(async (sql) => {
      for (let index = 0; index < count; index++) {
        const comment = { postId: post, author: "Ada", text: `Number ${index + 1}.`, accountId: undefined };
        // Several of the same moment: then the ids decide.
        const at = new Date(Date.UTC(2026, 0, 1, 0, 0, Math.floor(index / 3)));
        await insertComment(sql, { ...comment, status }, at);
      }
    });
  }

  async function idsOf(post: number): Promise<number[]> {
    const rows = await blog.database.read<{ id: number }>`
      select id from comments where post_id = ${post} and status = 'shown' order by created_at, id`;
    return rows.map(({ id }) => Number(id));
  }

  async function pageOf(url: string) {
    const response = await anyone(url);
    expect([url, response.status]).toEqual([url, 200]);
    const html = await response.text();
    const all = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, found = ""]) => found);
    return {
      html,
      ids: all(/<li id="c(\d+)"/g).map(Number),
      heading: all(/id="talk">([^<]*)</g)[0],
      links: all(/<a href="([^"]*comments=?[^"]*|\/posts\/much-discussed)" rel="(?:prev|next)"/g),
      canonical: all(/<link rel="canonical" href="([^"]*)"/g)[0],
      permalinks: all(/<a class="u-url" href="([^"]*)"><time/g),
    };
  }

  const idOf = (index: number) => ids.at(index) ?? 0;

  test("shows the oldest with its text, and the others on pages of their own", async () => {
    const pages = [
      await pageOf(path),
      await pageOf(`${path}?comments=2`),
      await pageOf(`${path}?comments=3`),
    ];
    expect(pages.flatMap((page) => page.ids)).toEqual([...ids]);
    expect(pages.map(({ heading }) => heading)).toEqual([
      `Comments 1–\u2060100 of ${COUNT}`,
      `Comments 101–\u2060200 of ${COUNT}`,
      `Comments 201–\u2060205 of ${COUNT}`,
    ]);
    expect(pages.map(({ links }) => links)).toEqual([
      [`${path}?comments=2`],
      [path, `${path}?comments=3`],
      [`${path}?comments=2`],
    ]);
    expect(pages.map(({ canonical }) => canonical)).toEqual([
      `http://localhost${path}`,
      `http://localhost${path}?comments=2`,
      `http://localhost${path}?comments=3`,
    ]);
    expect(pages.map(({ html }) => html.includes("<em>text</em>"))).toEqual([true, false, false]);
    for (const { html, ids } of pages) {
      expect(html.split('class="h-cite p-comment"')).toHaveLength(ids.length + 1);
      expect(html).not.toContain("<script");
    }
    expect(pages[1]?.html).toContain(`<a class="u-url" href="${path}">Read the post</a>`);
    expect((await (await anyone("/")).text()).includes(`${COUNT} comments`)).toBeTrue();
  });

  test("has pages that are cached and answer 304", async () => {
    const first = await anyone(`${path}?comments=2`);
    const etag = first.headers.get("etag") ?? "";
    expect([first.headers.get("cache-control"), etag]).toEqual(["no-cache", expect.stringMatching(/^"/)]);
    const again = await anyone(`${path}?comments=2`, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  test("has no pages past the end, and the first one for an invalid number", async () => {
    expect((await anyone(`${path}?comments=4`)).status).toBe(404);
    for (const number of ["1", "0", "-1", "x", "", "100001"])
      expect((await pageOf(`${path}?comments=${number}`)).ids[0]).toBe(idOf(0));
    const redirected = await anyone(`/posts/${postId}?comments=2`);
    expect([redirected.status, redirected.headers.get("location")]).toEqual([301, `${path}?comments=2`]);
  });

  test("has permanent links that lead to the page with the comment", async () => {
    const second = await pageOf(`${path}?comments=2`);
    expect(second.permalinks).toEqual(second.ids.map((id) => `${path}/comments/${id}`));
    expect((await pageOf(path)).permalinks.slice(1)).toEqual(
      ids.slice(0, THREAD_PAGE_SIZE).map((id) => `#c${id}`),
    );
    for (const [index, place] of [
      [0, path],
      [99, path],
      [100, `${path}?comments=2`],
      [199, `${path}?comments=2`],
      [204, `${path}?comments=3`],
    ] as const) {
      const response = await anyone(`${path}/comments/${idOf(index)}`);
      expect([index, response.status, response.headers.get("location")]).toEqual([
        index,
        302,
        `${place}#c${idOf(index)}`,
      ]);
    }
    const byId = await anyone(`/posts/${postId}/comments/${idOf(204)}`);
    expect(byId.headers.get("location")).toBe(`${path}?comments=3#c${idOf(204)}`);
  });

  test("has no links to comments of other posts, and to those that are not shown", async () => {
    const other = await createPost(editor, { title: "Little discussed" });
    const foreign = await createComment(editor, other, { text: "Elsewhere" });
    const hidden = await createComment(editor, { id: postId }, { text: "Hidden" });
    await editor(`${COMMENTS}${hidden.id}/`, { method: "PUT", json: { status: "rejected" } });
    for (const id of [foreign.id, hidden.id, 999_999, "x", "0", "9".repeat(30)])
      expect([id, (await anyone(`${path}/comments/${id}`)).status]).toEqual([id, 404]);
    expect((await anyone(`/posts/nothing/comments/${idOf(0)}`)).status).toBe(404);
    const { html } = await pageOf("/posts/little-discussed");
    expect(html).toContain(`<a class="u-url" href="#c${foreign.id}">`);
    expect(html).toContain(">1 comment<");
    expect(html).not.toContain('rel="next"');
  });

  test("has a feed of the newest, with their permanent links", async () => {
    const feed = parseFeed(await (await anyone(`${path}/comments.atom`)).text());
    expect(feed.items.map(({ url }) => url)).toEqual(
      ids
        .slice(-20)
        .toReversed()
        .map((id) => `http://localhost${path}/comments/${id}`),
    );
    const { id } = await createPost(editor, { title: "Full page" });
    await storeComments(id, THREAD_PAGE_SIZE + 1);
    const all = await idsOf(id);
    const urls = parseFeed(await (await anyone("/posts/full-page/comments.atom")).text()).items;
    expect(urls.slice(0, 2).map(({ url }) => url)).toEqual([
      `http://localhost/posts/full-page/comments/${all.at(100)}`,
      `http://localhost/posts/full-page#c${all.at(99)}`,
    ]);
  });

  test("leads from the form to the page with the new comment", async () => {
    const { id } = await createPost(editor, { title: "Growing" });
    await storeComments(id, THREAD_PAGE_SIZE);
    expect((await pageOf("/posts/growing")).heading).toBe(`${THREAD_PAGE_SIZE} comments`);
    const sent = await submit(editor, "/posts/growing/comments", { text: "One more" });
    const newest = (await idsOf(id)).at(-1);
    expect([sent.status, sent.headers.get("location")]).toEqual([
      303,
      `/posts/growing?comments=2#c${newest}`,
    ]);
    expect((await pageOf("/posts/growing?comments=2")).ids).toEqual([newest ?? 0]);
    // Later ones move up when an earlier one is removed, and their links still work.
    await editor(`${COMMENTS}${(await idsOf(id))[0]}/`, { method: "DELETE" });
    const moved = await anyone(`/posts/growing/comments/${newest}`);
    expect(moved.headers.get("location")).toBe(`/posts/growing#c${newest}`);
    expect((await anyone("/posts/growing?comments=2")).status).toBe(404);
  });

  test("has all of them, however many, in its response and in the list of posts", async () => {
    const one = await read(anyone, `${POSTS}${postId}/`);
    const { results } = await readPage(anyone, POSTS);
    const listed = results.find(({ id }) => id === postId);
    for (const post of [one, listed])
      expect(post?.comments.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        ids.toSorted((a, b) => a - b),
      );
  });
});
