import { expect, test } from "bun:test";
import type { ValidationError } from "../../../src/errors.ts";
import {
  createPost,
  DRAFTS,
  describeBlog,
  fields,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

const BODY_LIMIT = 4_096;
const FACE = "\u{1f600}";

/** Members of a body that cannot be taken, and the faults that they are; a member stands once, so is its fault. */
const wrong: [what: string, members: object, ...faults: Pick<ValidationError, "pointer" | "code">[]][] = [
  ["a number as title", { title: 123 }, { pointer: "/title", code: "wrong_type" }],
  ["a boolean as title", { title: true }, { pointer: "/title", code: "wrong_type" }],
  ["null as title", { title: null }, { pointer: "/title", code: "wrong_type" }],
  ["an array as title", { title: ["x"] }, { pointer: "/title", code: "wrong_type" }],
  ["an object as title", { title: { x: 1 } }, { pointer: "/title", code: "wrong_type" }],
  ["an empty title", { title: "" }, { pointer: "/title", code: "too_short" }],
  ["a title of 501 characters", { title: "x".repeat(501) }, { pointer: "/title", code: "too_long" }],
  ["a title of 501 emoji", { title: FACE.repeat(501) }, { pointer: "/title", code: "too_long" }],
  ["U+0000 in the title", { title: "a\0b" }, { pointer: "/title", code: "bad_character" }],
  ["half a character in the title", { title: "a\ud800b" }, { pointer: "/title", code: "bad_character" }],
  ["a number as content", { content: 0 }, { pointer: "/content", code: "wrong_type" }],
  ["null as content", { content: null }, { pointer: "/content", code: "wrong_type" }],
  ["U+0000 in the content", { content: "\0" }, { pointer: "/content", code: "bad_character" }],
  ["half a character in the content", { content: "\udc00" }, { pointer: "/content", code: "bad_character" }],
  ["the text true as published", { published: "true" }, { pointer: "/published", code: "wrong_type" }],
  ["1 as published", { published: 1 }, { pointer: "/published", code: "wrong_type" }],
  ["null as published", { published: null }, { pointer: "/published", code: "wrong_type" }],
  [
    "several things that are wrong",
    { title: "", content: 1, published: "yes" },
    { pointer: "/title", code: "too_short" },
    { pointer: "/content", code: "wrong_type" },
    { pointer: "/published", code: "wrong_type" },
  ],
];

describeBlog(
  "The body of a post",
  (blog) => {
    for (const base of [POSTS, DRAFTS]) {
      for (const method of ["POST", "PUT", "PATCH"]) {
        const published = base === POSTS;
        const place = async () =>
          method === "POST" ? base : pathOf(await createPost(blog.editor, { published }));

        test(`of ${method} under ${base} is refused with 422 and all errors at once, and nothing changes`, async () => {
          const path = await place();
          const before = await (await blog.editor(path)).text();
          for (const [, members, ...faults] of wrong) {
            const json = method === "PATCH" ? members : { ...fields, ...members };
            await expectErrors(await blog.editor(path, { method, json }), ...faults);
          }
          expect(await (await blog.editor(path)).text()).toBe(before);
        });

        test(`of ${method} under ${base} must be a JSON object`, async () => {
          const path = await place();
          for (const json of [[], "x", 1, null, true])
            await expectErrors(await blog.editor(path, { method, json }), {
              pointer: "",
              code: "wrong_type",
            });
        });

        test(`of ${method} under ${base} must be JSON in UTF-8`, async () => {
          const path = await place();
          const headers = { "content-type": "application/json" };
          const broken = [
            "",
            "{",
            "{'title':1}",
            '{"title":"x",}',
            "\ufeff{}",
            Uint8Array.of(0x22, 0xff, 0x22),
          ];
          for (const body of broken)
            await expectProblem(await blog.editor(path, { method, headers, body }), 400);
        });

        test(`of ${method} under ${base} needs a JSON media type`, async () => {
          const path = await place();
          const body = JSON.stringify(fields);
          for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])
            await expectProblem(
              await blog.editor(path, { method, headers: { "content-type": type }, body }),
              415,
            );
          const headers = { "content-type": 'Application/JSON; charset="utf-8"' };
          expect((await blog.editor(path, { method, headers, body })).ok).toBeTrue();
        });

        test(`of ${method} under ${base} may have exactly as many bytes as the limit, and not one more`, async () => {
          const path = await place();
          const headers = { "content-type": "application/json" };
          const send = (length: number) => {
            const empty = JSON.stringify({ ...fields, content: "", published });
            const content = "x".repeat(length - empty.length);
            return blog.editor(path, {
              method,
              headers,
              body: JSON.stringify({ ...fields, content, published }),
            });
          };
          expect((await send(BODY_LIMIT)).ok).toBeTrue();
          await expectProblem(await send(BODY_LIMIT + 1), 413);
        });
      }
    }

    test("may have a title of 1 to 500 characters, counted as code points", async () => {
      for (const title of ["x", " ", "x".repeat(500), FACE.repeat(500)]) {
        const post = await createPost(blog.editor, { title });
        expect(post.title).toBe(title);
        expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      }
    });

    test("may have empty content", async () => {
      expect((await createPost(blog.editor, { content: "" })).content).toBe("");
    });

    test("is kept code point for code point: nothing is trimmed or normalized", async () => {
      const texts = [
        "  both ends  ",
        "\ttab\r\nand lines\n\n",
        "e\u0301 and \u00e9",
        "\u212b \u00c5 A\u030a",
        "\ufeffbyte order mark\ufeff",
        "\u200b\u200e\u202e\u2066",
        `${FACE}\u{1f468}\u200d\u{1f469}\u200d\u{1f467}`,
        "</script><!-- & &amp; ' \" \\ /",
        "\u0001\u001f\u007f\u0085\u2028\u2029",
        "\uffff\u{10ffff}",
        "'; drop table posts; --",
        "%s%n {0} {{x}} $1 ?1 :a @b",
      ];
      for (const text of texts) {
        const post = await createPost(blog.editor, { title: text, content: text });
        expect(post).toMatchObject({ title: text, content: text });
        expect(await read(blog.anyone, pathOf(post))).toEqual(post);
      }
    });
  },
  { BODY_LIMIT: String(BODY_LIMIT) },
);

describeBlog("A long post", (blog) => {
  test("is imported unchanged, with as many comments as a post may have", async () => {
    const post = await createPost(blog.editor);
    const comment = { id: 1, author: "Ada", text: "Welcome!", created_at: post.created_at };
    const json = { ...post, title: "Changed", comments: Array(1_000).fill(comment) };
    for (const method of ["PUT", "PATCH"]) {
      const response = await blog.editor(pathOf(post), { method, json });
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ ...post, title: "Changed" });
    }
  });

  test("of a megabyte is returned completely, also among others", async () => {
    const content = "\u00fc".repeat(500_000);
    const post = await createPost(blog.editor, { content });
    expect((await read(blog.anyone, pathOf(post))).content).toBe(content);
    expect((await readPage(blog.anyone, POSTS)).results[0]?.content).toBe(content);
  });
});
