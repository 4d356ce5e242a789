import { describe, expect, test } from "bun:test";
import {
  type Blog,
  COMMENTS,
  clear,
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  etagOf,
  fields,
  POSTS,
  pathOf,
  read,
} from "../../support/records/blog.ts";
import { expectProblem } from "../../support/requests/problems.ts";

const STRONG = /^"[\x21\x23-\x7e]+"$/;
const changes = [
  { method: "PUT", json: { title: "Replaced", content: "" } },
  { method: "PATCH", json: { title: "Changed" } },
  { method: "DELETE" },
];

describeBlog("Conditions on posts", (blog) => {
  describe("The ETag of a post", () => {
    for (const published of [true, false]) {
      const what = published ? "published post" : "draft";

      test(`of a ${what} is strong, and the same until the post changes`, async () => {
        const path = pathOf(await createPost(blog.editor, { published }));
        const etag = await etagOf(blog.editor, path);
        expect(etag).toMatch(STRONG);
        expect(await etagOf(blog.editor, path)).toBe(etag);
        await createPost(blog.editor);
        expect(await etagOf(blog.editor, path)).toBe(etag);
        for (const change of changes.slice(0, 2)) {
          const before = await etagOf(blog.editor, path);
          await blog.editor(path, change);
          expect(await etagOf(blog.editor, path)).not.toBe(before);
        }
      });

      test(`of a ${what} given back in If-None-Match answers 304 without a body, with the tag and Cache-Control`, async () => {
        const path = pathOf(await createPost(blog.editor, { published }));
        const whole = await blog.editor(path);
        const etag = whole.headers.get("etag") ?? "";
        for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
          const response = await blog.editor(path, { headers: { "if-none-match": condition } });
          expect(response.status).toBe(304);
          expect(await response.text()).toBe("");
          for (const name of ["etag", "cache-control", "vary"])
            expect(response.headers.get(name)).toBe(whole.headers.get(name));
        }
        for (const condition of ['"other"', `W/"other"`, etag.replace('"', '"0')])
          expect((await blog.editor(path, { headers: { "if-none-match": condition } })).status).toBe(200);
      });
    }

    test("is invalid after the post was unpublished and published again", async () => {
      const post = await createPost(blog.editor);
      const etag = await etagOf(blog.anyone, pathOf(post));
      await blog.editor(pathOf(post), { method: "PATCH", json: { published: false } });
      await blog.editor(`${DRAFTS}${post.id}/`, { method: "PATCH", json: { published: true } });
      expect(await etagOf(blog.anyone, pathOf(post))).not.toBe(etag);
    });

    test("is invalid in another database, even for a post with the same id and history", async () => {
      const [one, other] = [await blog.elsewhere(), await blog.elsewhere()];
      const paths = await Promise.all(
        [one, other].map(async ({ editor }) => pathOf(await createPost(editor))),
      );
      expect(paths[0]).toBe(paths[1] ?? "");
      expect(await etagOf(one.anyone, paths[0] ?? "")).not.toBe(await etagOf(other.anyone, paths[1] ?? ""));
      expect(await etagOf(one.anyone, POSTS)).not.toBe(await etagOf(other.anyone, POSTS));
    });
  });

  describe("The ETag of a list", () => {
    for (const base of [POSTS, DRAFTS]) {
      const published = base === POSTS;

      test(`of ${base} is strong, also when the list is empty, and given back answers 304`, async () => {
        await clear(blog);
        for (let count = 0; count < 2; count++) {
          const etag = await etagOf(blog.editor, base);
          expect(etag).toMatch(STRONG);
          const response = await blog.editor(base, { headers: { "if-none-match": etag } });
          expect(response.status).toBe(304);
          expect(await response.text()).toBe("");
          expect(response.headers.get("etag")).toBe(etag);
          await createPost(blog.editor, { published });
        }
      });

      test(`of ${base} changes with every change of what it lists`, async () => {
        const path = pathOf(await createPost(blog.editor, { published }));
        const other = await createPost(blog.editor, { published });
        const away = await createPost(blog.editor, { published: !published });
        const steps: (() => Promise<unknown>)[] = [
          () => createPost(blog.editor, { published }),
          () => blog.editor(path, { method: "PUT", json: { title: "Put", content: "" } }),
          () => blog.editor(path, { method: "PATCH", json: { title: "Patched" } }),
          () => blog.editor(path, { method: "DELETE" }),
          () => blog.editor(pathOf(other), { method: "PATCH", json: { published: !published } }),
          () => blog.editor(pathOf(away), { method: "PATCH", json: { published } }),
        ];
        const seen = [await etagOf(blog.editor, base)];
        for (const step of steps) {
          await step();
          const etag = await etagOf(blog.editor, base);
          expect(seen).not.toContain(etag);
          expect((await blog.editor(base, { headers: { "if-none-match": seen.join(", ") } })).status).toBe(
            200,
          );
          seen.push(etag);
        }
      });

      test(`of ${base} does not turn a missing page into a 304`, async () => {
        const etag = await etagOf(blog.editor, base);
        for (const condition of [etag, "*"])
          await expectProblem(
            await blog.editor(`${base}?page=99`, { headers: { "if-none-match": condition } }),
            404,
          );
      });
    }
  });

  describe("If-Match", () => {
    for (const change of changes) {
      for (const published of [true, false]) {
        const what = `${change.method} of a ${published ? "published post" : "draft"}`;
        const make = () => createPost(blog.editor, { published });

        test(`with the current tag, also among others, allows ${what}`, async () => {
          for (const condition of [(etag: string) => etag, (etag: string) => `"other", ${etag}`, () => "*"]) {
            const path = pathOf(await make());
            const headers = { "if-match": condition(await etagOf(blog.editor, path)) };
            expect((await blog.editor(path, { ...change, headers })).ok).toBeTrue();
          }
        });

        test(`with an older tag answers ${what} with 412 and changes nothing`, async () => {
          const post = await make();
          const etag = await etagOf(blog.editor, pathOf(post));
          await blog.editor(pathOf(post), { method: "PATCH", json: { title: "Faster" } });
          const headers = { "if-match": etag };
          await expectProblem(await blog.editor(pathOf(post), { ...change, headers }), 412);
          expect(await read(blog.editor, pathOf(post))).toEqual({ ...post, title: "Faster" });
        });

        test(`with a made-up tag answers ${what} with 412`, async () => {
          const post = await make();
          const etag = await etagOf(blog.editor, pathOf(post));
          for (const condition of [`W/${etag.replace('"', '"0')}`, '"other"', '""', "nonsense"])
            await expectProblem(
              await blog.editor(pathOf(post), { ...change, headers: { "if-match": condition } }),
              412,
            );
          expect(await read(blog.editor, pathOf(post))).toEqual(post);
        });

        test(`is checked after the lookup: ${what} of a missing record is 404`, async () => {
          const headers = { "if-match": '"other"' };
          const path = pathOf({ id: 4711, published });
          await expectProblem(await blog.editor(path, { ...change, headers }), 404);
        });

        test(`conversely, a matching If-None-Match or * answers ${what} with 412 and changes nothing`, async () => {
          const post = await make();
          const etag = await etagOf(blog.editor, pathOf(post));
          for (const condition of [etag, `W/${etag}`, "*"])
            await expectProblem(
              await blog.editor(pathOf(post), { ...change, headers: { "if-none-match": condition } }),
              412,
            );
          expect(await read(blog.editor, pathOf(post))).toEqual(post);
          const headers = { "if-none-match": '"other"' };
          expect((await blog.editor(pathOf(post), { ...change, headers })).ok).toBeTrue();
        });
      }
    }

    for (const change of changes) {
      test(`with a post's tag from before a comment allows ${change.method}`, async () => {
        const post = await createPost(blog.editor);
        const etag = await etagOf(blog.anyone, pathOf(post));
        await createComment(blog.editor, post);
        expect(await etagOf(blog.anyone, pathOf(post))).not.toBe(etag);
        const headers = { "if-match": etag };
        expect((await blog.editor(pathOf(post), { ...change, headers })).ok).toBeTrue();
      });
    }

    test("with a post's tag in the coding of a list, from before a comment, counts as that tag", async () => {
      const post = await createPost(blog.editor);
      const etag = (await etagOf(blog.anyone, pathOf(post))).replace(/"$/, '.gzip"');
      await createComment(blog.editor, post);
      const headers = { "if-match": etag };
      const change = { method: "PATCH", json: { title: "x" }, headers };
      expect((await blog.editor(pathOf(post), change)).status).toBe(200);
      await expectProblem(await blog.editor(pathOf(post), change), 412);
    });

    test("conversely, If-None-Match with a tag from before a comment no longer matches", async () => {
      const post = await createPost(blog.editor);
      const headers = { "if-none-match": await etagOf(blog.anyone, pathOf(post)) };
      const change = { method: "PATCH", json: { title: "x" }, headers };
      await expectProblem(await blog.editor(pathOf(post), change), 412);
      await createComment(blog.editor, post);
      expect((await blog.editor(pathOf(post), change)).status).toBe(200);
    });

    test("with a tag from before a post was withdrawn answers 412 at its new URL", async () => {
      const post = await createPost(blog.editor);
      const headers = { "if-match": await etagOf(blog.anyone, pathOf(post)) };
      await blog.editor(pathOf(post), { method: "PATCH", json: { published: false } });
      await expectProblem(await blog.editor(`${DRAFTS}${post.id}/`, { method: "DELETE", headers }), 412);
    });
  });

  describe("A precondition of POST", () => {
    for (const base of [POSTS, DRAFTS]) {
      test(`to ${base} holds for the list: an old If-Match and a current If-None-Match are 412, and create nothing`, async () => {
        const old = await etagOf(blog.editor, base);
        await createPost(blog.editor, { published: base === POSTS });
        const current = await etagOf(blog.editor, base);
        const refused: Record<string, string>[] = [
          { "if-match": old },
          { "if-none-match": current },
          { "if-none-match": "*" },
        ];
        for (const headers of refused)
          await expectProblem(await blog.editor(base, { method: "POST", json: fields, headers }), 412);
        expect(await etagOf(blog.editor, base)).toBe(current);
        const headers = { "if-match": current };
        expect((await blog.editor(base, { method: "POST", json: fields, headers })).status).toBe(201);
      });
    }
  });

  describe("Cache-Control", () => {
    const cachingOf = async ({ editor }: Pick<Blog, "editor">, path: string) =>
      (await editor(path)).headers.get("cache-control");

    test("of posts that anyone may read is no-cache, and Vary names Accept-Encoding", async () => {
      const path = pathOf(await createPost(blog.editor));
      for (const place of [POSTS, path]) {
        const { headers } = await blog.anyone(place);
        expect(headers.get("cache-control")).toBe("no-cache, no-transform");
        expect(headers.get("vary")).toBe("Accept-Encoding");
      }
    });

    test("of drafts and of comments under moderation is private, no-store; Vary names Accept-Encoding there too", async () => {
      const path = pathOf(await createPost(blog.editor, { published: false }));
      const comment = await createComment(blog.editor, await createPost(blog.editor));
      for (const place of [DRAFTS, path, COMMENTS, `${COMMENTS}${comment.id}/`]) {
        expect(await cachingOf(blog, place)).toBe("private, no-store, no-transform");
        expect((await blog.editor(place)).headers.get("vary")).toBe("Accept-Encoding");
      }
    });

    test("of posts that only accounts may read is private, no-store", async () => {
      const closed = blog.servedWith({ POSTS_ACCESS: "private" });
      const path = pathOf(await createPost(closed.editor));
      for (const place of [POSTS, path, `${POSTS}?page_size=5`])
        expect(await cachingOf(closed, place)).toBe("private, no-store, no-transform");
      const headers = { "if-none-match": await etagOf(closed.editor, path) };
      const unchanged = await closed.editor(path, { headers });
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers.get("cache-control")).toBe("private, no-store, no-transform");
    });

    test("of a missing page is a 404 that is not cacheable", async () => {
      expect(await cachingOf(blog, `${POSTS}?page=99`)).toBe("private, no-store");
    });
  });
});
