import { describe, expect, test } from "bun:test";
import type { CommentResponse, ModeratedComment } from "../../../src/posts/comments/comment.ts";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import {
  type Blog,
  bodyOf,
  COMMENTS,
  clear,
  commentsOf,
  createComment,
  createPost,
  describeBlog,
  etagOf,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

const MODERATED = { COMMENTS: "moderated" };
/** The address of everyone in these tests. */
const SENDER = "127.0.0.1";
const STATUSES = ["waiting", "shown", "rejected"] as const;

const placeOf = ({ id }: { id: number }) => `${COMMENTS}${id}/`;

const decide = (blog: Blog, comment: { id: number }, status: string) =>
  blog.editor(placeOf(comment), { method: "PUT", json: { status } });

/** A published post with a comment that waits. */
async function withWaiting(blog: Blog) {
  const post = await createPost(blog.editor);
  const comment = await createComment(blog.anyone, post, { author: "Ada", text: "Hello?" });
  return { post, comment };
}

const listed = async (blog: Blog, status: string) =>
  (await readPage<ModeratedComment>(blog.editor, `${COMMENTS}?status=${status}&page_size=1000`)).results;

describeBlog(
  "Comments under moderation",
  (blog) => {
    describe("GET /api/comments/", () => {
      test("with status=waiting is a page of the waiting ones, of all posts, with the post and the status of each", async () => {
        await clear(blog);
        const [one, other] = [await withWaiting(blog), await withWaiting(blog)];
        await createComment(blog.editor, one.post);
        const page = await readPage<ModeratedComment>(blog.editor, `${COMMENTS}?status=waiting`);
        expect(Object.keys(page)).toEqual(["count", "next", "previous", "results"]);
        expect(page).toMatchObject({ count: 2, next: null, previous: null });
        expect(page.results).toEqual(
          [one, other].map(({ post, comment }) => ({
            ...comment,
            post: post.id,
            status: "waiting",
            sender: SENDER,
          })),
        );
      });

      test("is in pages of 20 like the posts, with links that keep the status", async () => {
        await clear(blog);
        const post = await createPost(blog.editor);
        const ids: number[] = [];
        for (let count = 0; count < 23; count++)
          ids.push((await createComment(blog.anyone, post, { author: "Ada" })).id);
        const first = await readPage(blog.editor, `${COMMENTS}?status=waiting`);
        const second = await readPage(blog.editor, `${COMMENTS}?status=waiting&page=last`);
        const link = (page: number) => `http://localhost${COMMENTS}?status=waiting&page=${page}`;
        expect(first).toMatchObject({ count: 23, next: link(2), previous: null });
        expect(second).toMatchObject({ count: 23, next: null, previous: link(1) });
        expect([...first.results, ...second.results].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
        await expectProblem(await blog.editor(`${COMMENTS}?status=waiting&page=3`), 404);
        const shown = await readPage(blog.editor, `${COMMENTS}?status=shown`);
        expect(shown).toEqual({ count: 0, next: null, previous: null, results: [] });
      });

      test("with an unknown status, or page, answers 422", async () => {
        for (const status of ["hidden", "Waiting", "waiting,shown"])
          await expectErrors(await blog.editor(`${COMMENTS}?status=${status}`), {
            parameter: "status",
            code: "unknown_value",
          });
        await expectErrors(await blog.editor(`${COMMENTS}?status=waiting&page=x`), {
          parameter: "page",
          code: "not_an_integer",
        });
      });

      test("has a strong ETag that changes with every added, removed or moderated comment, and responses 304", async () => {
        await clear(blog);
        const path = `${COMMENTS}?status=waiting`;
        const seen = [await etagOf(blog.editor, path)];
        expect(seen[0]).toMatch(/^"[\x21\x23-\x7e]+"$/);
        const unchanged = await blog.editor(path, { headers: { "if-none-match": seen[0] ?? "" } });
        expect(unchanged.status).toBe(304);
        const { post, comment } = await withWaiting(blog);
        const next = await createComment(blog.anyone, post, { author: "Ada" });
        const last = await createComment(blog.anyone, post, { author: "Ada" });
        const steps = [
          () => Promise.resolve(),
          () => decide(blog, comment, "shown"),
          () => decide(blog, comment, "waiting"),
          () => decide(blog, next, "rejected"),
          () => blog.editor(placeOf(last), { method: "DELETE" }),
          () => blog.editor(pathOf(post), { method: "DELETE" }),
        ];
        for (const step of steps) {
          await step();
          const etag = await etagOf(blog.editor, path);
          expect(seen).not.toContain(etag);
          seen.push(etag);
        }
      });
    });

    describe("GET /api/comments/{id}/", () => {
      test("answers 200 with a comment of any status, its post and its status", async () => {
        const { post, comment } = await withWaiting(blog);
        for (const status of STATUSES) {
          await decide(blog, comment, status);
          const response = await blog.editor(placeOf(comment));
          expect(response.status).toBe(200);
          expect(await bodyOf<ModeratedComment>(response)).toEqual({
            ...comment,
            post: post.id,
            status,
            sender: SENDER,
          });
          expect(response.headers.get("cache-control")).toStartWith("private, no-store");
        }
      });

      test("is the Location of a new comment", async () => {
        const post = await createPost(blog.editor);
        const made = await blog.editor(commentsOf(post), { method: "POST", json: { text: "Here." } });
        const location = made.headers.get("location") ?? "";
        const comment = await bodyOf<CommentResponse>(made);
        const expected = { ...comment, post: post.id, status: "shown" as const, sender: null };
        expect(await read<ModeratedComment>(blog.editor, location)).toEqual(expected);
      });

      test("has a tag of its own for each status, with which 304 says that it has not changed", async () => {
        const { comment } = await withWaiting(blog);
        const tags: string[] = [];
        for (const status of STATUSES) {
          await decide(blog, comment, status);
          const etag = await etagOf(blog.editor, placeOf(comment));
          expect(etag).toMatch(/^"[^"]+"$/);
          const headers = { "if-none-match": etag };
          const unchanged = await blog.editor(placeOf(comment), { headers });
          expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, etag]);
          for (const other of tags) {
            const headers = { "if-none-match": other };
            expect((await blog.editor(placeOf(comment), { headers })).status).toBe(200);
          }
          tags.push(etag);
        }
        expect(new Set(tags).size).toBe(STATUSES.length);
      });
    });

    describe("PUT /api/comments/{id}/", () => {
      test("with shown answers 200 with the comment, and shows it with its post, in its place by age", async () => {
        const { post, comment } = await withWaiting(blog);
        const later = await createComment(blog.editor, post);
        const response = await decide(blog, comment, "shown");
        expect(response.status).toBe(200);
        expect(await bodyOf<ModeratedComment>(response)).toEqual({
          ...comment,
          post: post.id,
          status: "shown",
          sender: SENDER,
        });
        expect((await read(blog.anyone, pathOf(post))).comments).toEqual([comment, later]);
        expect(await listed(blog, "waiting")).toEqual([]);
      });

      for (const from of STATUSES) {
        for (const to of STATUSES) {
          test(`from ${from} to ${to} changes the tags of post and list only when what they show does`, async () => {
            const { post, comment } = await withWaiting(blog);
            await decide(blog, comment, from);
            const tags = async () => [
              await etagOf(blog.anyone, pathOf(post)),
              await etagOf(blog.anyone, POSTS),
            ];
            const before = await tags();
            expect((await decide(blog, comment, to)).status).toBe(200);
            const changes = from !== to && [from, to].includes("shown");
            for (const [index, etag] of (await tags()).entries())
              expect(etag !== before[index]).toBe(changes);
            const { comments } = await read(blog.anyone, pathOf(post));
            expect(comments).toEqual(to === "shown" ? [comment] : []);
            for (const status of STATUSES)
              expect((await listed(blog, status)).some(({ id }) => id === comment.id)).toBe(status === to);
            await blog.editor(pathOf(post), { method: "DELETE" });
          });
        }
      }

      test("refuses an invalid status", async () => {
        const { comment } = await withWaiting(blog);
        const put = (json: unknown) => blog.editor(placeOf(comment), { method: "PUT", json });
        await expectErrors(await put({}), { pointer: "/status", code: "missing" });
        for (const status of [1, null, true, ["shown"]])
          await expectErrors(await put({ status }), { pointer: "/status", code: "wrong_type" });
        for (const status of ["hidden", "", "Shown"])
          await expectErrors(await put({ status }), { pointer: "/status", code: "unknown_value" });
        for (const json of [[], "shown", null])
          await expectErrors(await put(json), { pointer: "", code: "wrong_type" });
        expect((await listed(blog, "waiting")).map(({ id }) => id)).toContain(comment.id);
      });

      test("changes the status alone: the rest of the body is ignored", async () => {
        const { post, comment } = await withWaiting(blog);
        const json = { status: "shown", author: "Eve", text: "Forged", post: 1, id: 1 };
        await blog.editor(placeOf(comment), { method: "PUT", json });
        expect((await read(blog.anyone, pathOf(post))).comments).toEqual([comment]);
      });
    });

    describe("DELETE /api/comments/{id}/", () => {
      test("answers 204 and removes a shown comment from its post, whose tag and whose list's tag change", async () => {
        const post = await createPost(blog.editor);
        const [gone, stays] = [
          await createComment(blog.editor, post),
          await createComment(blog.editor, post),
        ];
        const tags = [await etagOf(blog.anyone, pathOf(post)), await etagOf(blog.anyone, POSTS)];
        const response = await blog.editor(placeOf(gone), { method: "DELETE" });
        expect(response.status).toBe(204);
        expect(await response.text()).toBe("");
        expect((await read(blog.anyone, pathOf(post))).comments).toEqual([stays]);
        expect(await etagOf(blog.anyone, pathOf(post))).not.toBe(tags[0] ?? "");
        expect(await etagOf(blog.anyone, POSTS)).not.toBe(tags[1] ?? "");
        await expectProblem(await blog.editor(placeOf(gone), { method: "DELETE" }), 404);
      });

      test("of a waiting one changes nothing public", async () => {
        await clear(blog);
        const { post, comment } = await withWaiting(blog);
        const tags = [await etagOf(blog.anyone, pathOf(post)), await etagOf(blog.anyone, POSTS)];
        expect((await blog.editor(placeOf(comment), { method: "DELETE" })).status).toBe(204);
        expect(await listed(blog, "waiting")).toEqual([]);
        expect([await etagOf(blog.anyone, pathOf(post)), await etagOf(blog.anyone, POSTS)]).toEqual(tags);
      });

      test("of the same one, many times at once, succeeds exactly once", async () => {
        const { comment } = await withWaiting(blog);
        const responses = await Promise.all(
          Array.from({ length: 8 }, () => blog.editor(placeOf(comment), { method: "DELETE" })),
        );
        expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array(7).fill(404)]);
      });
    });

    describe("Moderation", () => {
      const init = {
        GET: {},
        PUT: { json: { status: "shown" } },
        DELETE: {},
      } as const;

      test("is for accounts only, however open commenting is", async () => {
        const { comment } = await withWaiting(blog);
        expect((await blog.anyone(`${COMMENTS}?status=waiting`)).status).toBe(401);
        expect((await blog.anyone(placeOf(comment))).status).toBe(401);
        for (const method of ["PUT", "DELETE"] as const)
          expect((await blog.anyone(placeOf(comment), { method, ...init[method] })).status).toBe(401);
        expect((await listed(blog, "waiting")).map(({ id }) => id)).toContain(comment.id);
      });

      test("needs the scope comments:moderate, and no other", async () => {
        const { comment } = await withWaiting(blog);
        const account = await makeAccount(blog.database, "scoped");
        const others = ["bookmarks:read", "bookmarks:write", "posts:read", "posts:write"] as const;
        const without = withToken(blog.anyone, await makeToken(blog.database, account, { scopes: others }));
        const only = withToken(
          blog.anyone,
          await makeToken(blog.database, account, { scopes: ["comments:moderate"] }),
        );
        expect((await without(COMMENTS)).status).toBe(403);
        expect((await only(COMMENTS)).status).toBe(200);
        for (const method of ["GET", "PUT", "DELETE"] as const) {
          expect((await without(placeOf(comment), { method, ...init[method] })).status).toBe(403);
          expect((await only(placeOf(comment), { method, ...init[method] })).ok).toBeTrue();
        }
      });

      for (const method of ["GET", "PUT", "DELETE"] as const) {
        test(`by ${method} of a missing comment answers 404, of an invalid id 422`, async () => {
          for (const id of ["0", "-1", "4711", "9".repeat(30)])
            await expectProblem(await blog.editor(`${COMMENTS}${id}/`, { method, ...init[method] }), 404);
          for (const id of ["abc", "1.5", "1e3"])
            await expectErrors(await blog.editor(`${COMMENTS}${id}/`, { method, ...init[method] }), {
              parameter: "id",
              code: "not_an_integer",
            });
        });
      }

      for (const method of ["PUT", "DELETE"] as const) {
        test(`by ${method} with an entity tag applies to that version of the comment only; otherwise it is 412 without changes`, async () => {
          const { comment } = await withWaiting(blog);
          const send = (headers: Record<string, string>, place = placeOf(comment)) =>
            blog.editor(place, { method, headers, ...init[method] });
          const waiting = await etagOf(blog.editor, placeOf(comment));
          await decide(blog, comment, "rejected");
          const rejected = await etagOf(blog.editor, placeOf(comment));
          for (const tag of [waiting, `W/${waiting}`, '"another"', ""])
            await expectProblem(await send({ "if-match": tag }), 412);
          for (const tag of [rejected, `W/${rejected}`, "*"])
            await expectProblem(await send({ "if-none-match": tag }), 412);
          expect(await listed(blog, "rejected")).toContainEqual(expect.objectContaining({ id: comment.id }));
          await expectProblem(await send({ "if-match": '"another"' }, `${COMMENTS}4711/`), 404);
          expect((await send({ "if-match": rejected, "if-none-match": waiting })).ok).toBeTrue();
        });

        test(`by ${method} with the same entity tag, sent many times at once, succeeds exactly once`, async () => {
          const { comment } = await withWaiting(blog);
          const headers = { "if-match": await etagOf(blog.editor, placeOf(comment)) };
          const responses = await Promise.all(
            Array.from({ length: 8 }, () =>
              blog.editor(placeOf(comment), { method, headers, ...init[method] }),
            ),
          );
          const [first, ...others] = responses.map(({ status }) => status).toSorted();
          expect(first).toBe(method === "PUT" ? 200 : 204);
          expect(others).toEqual(Array(7).fill(method === "PUT" ? 412 : 404));
        });
      }

      test("continues while posts are commented on, changed and deleted", async () => {
        const other = blog.servedWith(MODERATED);
        for (let round = 0; round < 4; round++) {
          const made = await Promise.all(Array.from({ length: 8 }, () => withWaiting(blog)));
          const requests = made.flatMap(({ post, comment }) => [
            decide(blog, comment, "shown"),
            decide(other, comment, "rejected"),
            other.editor(commentsOf(post), { method: "POST", json: { text: "Meanwhile." } }),
            blog.editor(pathOf(post), { method: "PATCH", json: { title: "Meanwhile" } }),
            other.editor(placeOf(comment), { method: "DELETE" }),
            blog.editor(pathOf(post), { method: "DELETE" }),
          ]);
          for (const { status } of await Promise.all(requests))
            expect(status).toBeOneOf([200, 201, 204, 404]);
        }
      });

      test("stays when its post is unpublished, and is shown when it is published again", async () => {
        const { post, comment } = await withWaiting(blog);
        await blog.editor(pathOf(post), { method: "PATCH", json: { published: false } });
        expect((await decide(blog, comment, "shown")).status).toBe(200);
        const draft = pathOf({ ...post, published: false });
        expect((await read(blog.editor, draft)).comments).toEqual([comment]);
        await blog.editor(draft, { method: "PATCH", json: { published: true } });
        expect((await read(blog.anyone, pathOf(post))).comments).toEqual([comment]);
      });
    });
  },
  MODERATED,
);
