import { expect, test } from "bun:test";
import { insertComment } from "../../../src/posts/comments/comment-store.ts";
import { THREAD_PAGE_SIZE } from "../../../src/posts/comments/thread.ts";
import { touchPost } from "../../../src/posts/post-store.ts";
import { bodyOf, COMMENTS, commentsOf, createPost, describeBlog } from "../../support/records/blog.ts";

describeBlog("Replies", (blog) => {
  const { editor, anyone } = blog;

  /** Adds a comment of a second after 2026 began. */
  const say = (postId: number, text: string, second: number, parentId?: number) =>
    blog.database.write(async (sql) => {
      const comment = {
        postId,
        author: `By ${text}`,
        text,
        status: "shown",
        accountId: undefined,
        parentId,
      } as const;
      const { id } = await insertComment(sql, comment, new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
      await touchPost(sql, postId);
      return id;
    });

  /** The comments of a page: each a text, with the list of those below it and the one that it is said to reply to. */
  async function outlineOf(path: string): Promise<string> {
    const response = await anyone(path);
    expect([path, response.status]).toEqual([path, 200]);
    const html = await response.text();
    const list = /<section class="row talk".*?<\/section>/s.exec(html)?.[0] ?? "";
    return list
      .replaceAll(/<a class="u-in-reply-to" href="([^"]*)">Reply to <bdi>By (\w+)<\/bdi><\/a>/g, "[$2 $1]")
      .replaceAll(/<(h2|bdi|time|i)\b.*?<\/\1>/gs, "")
      .replaceAll(/<ol[^>]*>/g, "(")
      .replaceAll("</ol>", ")")
      .replaceAll(/<li[^>]*>/g, " ")
      .replaceAll(/<p class="bar">.*?<\/p>/gs, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
  }

  test("stand below the comment that began their branch, and name another one to which they reply", async () => {
    const { id } = await createPost(editor, { title: "Branches" });
    const one = await say(id, "One", 1);
    const two = await say(id, "Two", 2);
    const below = await say(id, "Below", 3, one);
    await say(id, "Deep", 4, below);
    await say(id, "Late", 5, two);
    expect(await outlineOf("/posts/branches")).toBe(`( One( Below [Below #c${below}]Deep) Two( Late))`);
  });

  test("stay when the comment to which they reply is rejected or removed, and return below it", async () => {
    const { id } = await createPost(editor, { title: "Gone" });
    const one = await say(id, "One", 1);
    await say(id, "Reply", 2, one);
    expect(await outlineOf("/posts/gone")).toBe("( One( Reply))");
    const decide = (status: string) => editor(`${COMMENTS}${one}/`, { method: "PUT", json: { status } });
    await decide("rejected");
    expect(await outlineOf("/posts/gone")).toBe("( Reply)");
    await decide("shown");
    expect(await outlineOf("/posts/gone")).toBe("( One( Reply))");
    await editor(`${COMMENTS}${one}/`, { method: "DELETE" });
    expect(await outlineOf("/posts/gone")).toBe("( Reply)");
  });

  test("to a comment on another page, to a younger one, in a circle or on another post are shown", async () => {
    const { id } = await createPost(editor, { title: "Odd" });
    const first = await say(id, "First", 0);
    for (let index = 1; index < THREAD_PAGE_SIZE; index++) await say(id, "x", 1);
    const { id: otherPost } = await createPost(editor, { title: "Other" });
    const foreign = await say(otherPost, "Foreign", 1);
    await say(id, "Again", 2, first);
    await say(id, "Foreigner", 3, foreign);
    const early = await say(id, "Early", 4);
    const late = await say(id, "Later", 5, early);
    await blog.database.write((sql) => sql`update comments set parent_id = ${late} where id = ${early}`);
    expect(await outlineOf("/posts/odd?comments=2")).toBe(
      `( [First /posts/odd/comments/${first}]Again Foreigner [Later /posts/odd/comments/${late}]Early( Later))`,
    );
  });

  test("are in the API as any comment is", async () => {
    const { id } = await createPost(editor, { title: "Plain" });
    await say(id, "Reply", 2, await say(id, "One", 1));
    const { results } = await bodyOf<{ results: object[] }>(await anyone(commentsOf({ id })));
    expect(results.map((comment) => Object.keys(comment))).toEqual([
      ["id", "author", "text", "created_at"],
      ["id", "author", "text", "created_at"],
    ]);
  });

  test("and other comments of a static page are shown, without a form, on as many pages as they need", async () => {
    const { id } = await createPost(editor, { title: "About" });
    await editor(`/api/posts/${id}/publication/`, { method: "PATCH", json: { kind: "page" } });
    expect(await (await anyone("/about")).text()).not.toContain('id="talk"');
    const first = await say(id, "One", 1);
    await say(id, "Reply", 2, first);
    expect(await outlineOf("/about")).toBe("( One( Reply))");
    expect(await (await anyone("/about")).text()).not.toContain("Write a comment");
    for (let index = 0; index < THREAD_PAGE_SIZE; index++) await say(id, "x", 3);
    const last = await say(id, "Last", 4);
    expect(await outlineOf("/about?comments=2")).toEndWith("Last)");
    const place = await anyone(`/posts/about/comments/${last}`);
    expect([place.status, place.headers.get("location")]).toEqual([302, `/about?comments=2#c${last}`]);
  });
});
