import { expect, test } from "bun:test";
import type { ModeratedComment } from "../../../src/posts/comments/comment.ts";
import { forgetSenders } from "../../../src/posts/comments/waiting-comments.ts";
import {
  COMMENTS,
  createComment,
  createPost,
  describeBlog,
  etagOf,
  readPage,
} from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectErrors } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { run } from "../../support/server/server.ts";

const REJECT = `${COMMENTS}reject/`;
const DAY = 24 * 60 * 60 * 1000;
/** Trusted, so that each comment can come from another address. */
const SETTINGS = { COMMENTS: "moderated", TRUSTED_PROXIES: "127.0.0.1" };

const waiting: readonly (readonly [author: string, text: string, from: string])[] = [
  ["Ada", "Welcome!", "192.0.2.1"],
  ["Pens", "CASINO and more", "192.0.2.2"],
  ["Casino Royale", "A film.", "192.0.2.1"],
  ["Zoë", "Ärger mit dem CasinO", "2001:db8:1:2::3"],
  ["Zoe", "Nothing", "2001:db8:1:2:ffff::1"],
];

describeBlog(
  "Rejecting what waits",
  (blog) => {
    /** Waiting comments on a post of their own. Others are rejected first. */
    async function fill(): Promise<{ post: number; other: number }> {
      await reject({});
      const post = await createPost(blog.editor);
      const other = await createPost(blog.editor);
      for (const [author, text, from] of waiting) {
        const send: Send = (path, init) =>
          blog.anyone(path, { ...init, headers: { "x-forwarded-for": from } });
        await createComment(send, author === "Ada" ? other : post, { author, text });
      }
      return { post: post.id, other: other.id };
    }
    const reject = async (json: object, query = "") => {
      const response = await blog.editor(REJECT + query, { method: "POST", json });
      expect(response.status).toBe(200);
      return response.json() as Promise<{ rejected: number; undo: string | null }>;
    };
    const left = async () =>
      (await readPage<ModeratedComment>(blog.editor, `${COMMENTS}?status=waiting`)).results.map(
        ({ author }) => author,
      );

    for (const [what, match, stays] of [
      ["what text or author contain, in any case", { contains: "casino" }, ["Ada", "Zoe"]],
      ["also beyond ASCII", { contains: "ÄRGER" }, ["Ada", "Pens", "Casino Royale", "Zoe"]],
      ["an address", { sender: "192.0.2.1" }, ["Pens", "Zoë", "Zoe"]],
      ["any address of an IPv6 network", { sender: "2001:db8:1:2::9" }, ["Ada", "Pens", "Casino Royale"]],
      ["several at once", { sender: "192.0.2.1", contains: "film" }, ["Ada", "Pens", "Zoë", "Zoe"]],
      ["nothing that waits", { contains: "no such words" }, waiting.map(([author]) => author)],
      ["all", {}, []],
    ] as const)
      test(`matches ${what}; a dry run only counts`, async () => {
        await fill();
        const rejected = waiting.length - stays.length;
        expect(await reject(match, "?dry_run=true")).toEqual({ rejected, undo: null });
        expect(await left()).toEqual(waiting.map(([author]) => author));
        expect(await reject(match)).toMatchObject({ rejected });
        expect(await left()).toEqual([...stays]);
        expect(await reject(match)).toMatchObject({ rejected: 0 });
      });

    test("can be limited to a post, and changes the entity tag of the lists", async () => {
      const { other } = await fill();
      const before = await etagOf(blog.editor, COMMENTS);
      expect(await reject({ post: other })).toMatchObject({ rejected: 1 });
      expect(await etagOf(blog.editor, COMMENTS)).not.toBe(before);
    });

    test("refuses what is no match", async () => {
      const response = await blog.editor(REJECT, { method: "POST", json: { contains: "", post: 0 } });
      await expectErrors(
        response,
        { pointer: "/contains", code: "too_short" },
        { pointer: "/post", code: "out_of_range" },
      );
    });

    test("takes more than one batch", async () => {
      await fill();
      const { id } = await createPost(blog.editor);
      await blog.database.write(async (sql) => {
        for (let count = 0; count < 501; count++)
          await sql`insert into comments (post_id, author, text, status, created_at)
            values (${id}, 'Spam', ${`Buy ${count}`}, 'waiting', ${new Date()})`;
      });
      expect(await reject({ contains: "buy" })).toMatchObject({ rejected: 501 });
      expect(await left()).toHaveLength(waiting.length);
    });

    test("is on the page: found by words or sender, after a question", async () => {
      await fill();
      const page = async (query = "") => (await blog.editor(`/moderation${query}`)).text();
      expect(await page()).toContain('<a href="/moderation?from=192.0.2.2">192.0.2.2</a>');
      expect(await page("?q=casino")).toContain("3 waiting with “casino”");
      expect(await page("?from=192.0.2.1")).toContain("2 waiting from 192.0.2.1");
      const asked = await submit(blog.editor, "/moderation", { matching: "ask", q: "casino", from: "" });
      expect(asked.status).toBe(200);
      const question = await asked.text();
      expect(question).toContain("Reject 3 waiting comments?");
      expect(question).toMatch(/<button [^>]*name="matching" value="reject"/);
      expect(await left()).toHaveLength(waiting.length);
      const done = await submit(blog.editor, "/moderation", { matching: "reject", q: "casino", from: "" });
      expect([done.status, done.headers.get("location")]).toEqual([303, "/moderation?q=casino"]);
      expect(await left()).toEqual(["Ada", "Zoe"]);
    });

    test("has a command", async () => {
      await fill();
      const env = { DATABASE_URL: blog.databaseUrl };
      const words = ["comments", "reject", "--contains", "casino"];
      expect(await run([...words, "--dry-run"], { env })).toMatchObject({
        code: 0,
        stdout: "A dry run: 3 comments would be rejected. Nothing was changed.\n",
      });
      expect(await run(words, { env })).toMatchObject({ code: 0, stdout: "Rejected 3 comments.\n" });
      expect(await left()).toEqual(["Ada", "Zoe"]);
      expect(await run(["comments", "reject"], { env })).toMatchObject({ code: 2 });
    });

    test("names the sender of a stranger's comment for 30 days, and of an account's never", async () => {
      const { post } = await fill();
      const { id } = await createComment(blog.editor, { id: post });
      const read = async (status: string) =>
        (await readPage<ModeratedComment>(blog.editor, `${COMMENTS}?status=${status}&page_size=1000`))
          .results;
      expect((await read("shown")).find((comment) => comment.id === id)?.sender).toBeNull();
      const [first] = await read("waiting");
      expect(first?.sender).toBe("192.0.2.1");
      const made = new Date(first?.created_at ?? "").getTime();
      const senders = async () => (await read("waiting")).map(({ sender }) => sender);
      await blog.database.write((sql) => forgetSenders(sql, new Date(made + 30 * DAY - 1), 1_000));
      expect((await senders())[0]).toBe("192.0.2.1");
      const before = await etagOf(blog.editor, COMMENTS);
      await blog.database.write((sql) => forgetSenders(sql, new Date(made + 30 * DAY), 1_000));
      expect((await senders())[0]).toBeNull();
      expect(await etagOf(blog.editor, COMMENTS)).not.toBe(before);
    });
  },
  SETTINGS,
);
