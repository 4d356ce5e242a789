import { describe, expect, test } from "bun:test";
import {
  type Blog,
  clear,
  createPost,
  DRAFTS,
  describeBlog,
  type Envelope,
  POSTS,
  readPage,
  storePosts,
} from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

const ENVELOPE = ["count", "next", "previous", "results"];

/** `count` posts of a collection, a minute apart, the newest first. */
async function fill(blog: Blog, base: string, count: number): Promise<number[]> {
  const newest = Date.parse("2026-11-21T12:00:00.000Z");
  const collection = base === POSTS ? "posts" : "drafts";
  const ids = await storePosts(
    blog.database,
    Array.from({ length: count }, (_, index) => ({
      collection,
      createdAt: new Date(newest - (count - index) * 60_000),
    })),
  );
  return ids.toReversed();
}

/** The path and query of a link, which is absolute. */
function pathAndQuery(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname + search;
}

describeBlog("Pages of posts", (blog) => {
  for (const base of [POSTS, DRAFTS]) {
    describe(`The pages of ${base}`, () => {
      test("have the four members of the envelope, in order, and page 1 of an empty collection is 200", async () => {
        await clear(blog);
        for (const query of ["", "?page=1", "?page=last", "?page_size=1000", "?ordering=title"]) {
          const page = await readPage(blog.editor, base + query);
          expect(page).toEqual({ count: 0, next: null, previous: null, results: [] });
          expect(Object.keys(page)).toEqual(ENVELOPE);
        }
        await expectProblem(await blog.editor(`${base}?page=2`), 404);
      });

      test("have 20 posts each, newest first, with the exact count and links to their neighbours", async () => {
        await clear(blog);
        const ids = await fill(blog, base, 45);
        const link = (page: number) => `http://localhost${base}?page=${page}`;
        const expected = [
          { next: link(2), previous: null, ids: ids.slice(0, 20) },
          { next: link(3), previous: link(1), ids: ids.slice(20, 40) },
          { next: null, previous: link(2), ids: ids.slice(40) },
        ];
        for (const [index, { next, previous, ids }] of expected.entries()) {
          const page = await readPage(blog.editor, `${base}?page=${index + 1}`);
          expect(Object.keys(page)).toEqual(ENVELOPE);
          expect(page).toMatchObject({ count: 45, next, previous });
          expect(page.results.map(({ id }) => id)).toEqual(ids);
        }
        expect(await readPage(blog.editor, base)).toEqual(await readPage(blog.editor, `${base}?page=1`));
        expect(await readPage(blog.editor, `${base}?page=last`)).toEqual(
          await readPage(blog.editor, `${base}?page=3`),
        );
        await expectProblem(await blog.editor(`${base}?page=4`), 404);
      });

      test("end with a full one if the number of posts is a multiple of the page size", async () => {
        await clear(blog);
        const ids = await fill(blog, base, 40);
        const last = await readPage(blog.editor, `${base}?page=last`);
        expect(last).toMatchObject({ count: 40, next: null });
        expect(last.results.map(({ id }) => id)).toEqual(ids.slice(20));
        expect(await readPage(blog.editor, `${base}?page=2`)).toEqual(last);
        await expectProblem(await blog.editor(`${base}?page=3`), 404);
      });

      test("show every post exactly once to those who follow next, and again to those who follow previous", async () => {
        await clear(blog);
        const ids = await fill(blog, base, 23);
        const walk = async (start: string, along: "next" | "previous") => {
          const seen: number[][] = [];
          let path: string | null = start;
          while (path !== null) {
            const page: Envelope = await readPage(blog.editor, path);
            seen.push(page.results.map(({ id }) => id));
            path = page[along] && pathAndQuery(page[along]);
          }
          return seen;
        };
        const forth = await walk(`${base}?page_size=4`, "next");
        expect(forth.flat()).toEqual(ids);
        expect(await walk(`${base}?page_size=4&page=last`, "previous")).toEqual(forth.toReversed());
      });

      test("that do not exist answer 404: zero, negative, past the end", async () => {
        await clear(blog);
        for (const page of [
          "0",
          "-1",
          "-0",
          "2",
          "999999",
          "9".repeat(30),
          "9".repeat(400),
          `-${"9".repeat(30)}`,
        ])
          await expectProblem(await blog.editor(`${base}?page=${page}`), 404);
      });

      test("whose number is invalid answer 422", async () => {
        for (const page of ["abc", "1.5", "1e3", "0x1", "+1", "%201", "first", "LAST", "last%20", "1,2", "١"])
          await expectErrors(await blog.editor(`${base}?page=${page}`), {
            parameter: "page",
            code: "not_an_integer",
          });
      });

      test("have page_size posts, from 1 to 1000", async () => {
        await clear(blog);
        const ids = await fill(blog, base, 30);
        for (const size of [1, 7, 30, 31, 1000]) {
          const page = await readPage(blog.editor, `${base}?page_size=${size}`);
          expect(page.results.map(({ id }) => id)).toEqual(ids.slice(0, size));
          expect(page.next).toBe(size < 30 ? `http://localhost${base}?page_size=${size}&page=2` : null);
        }
      });

      test("with a page_size out of range, or that is no integer, answer 422", async () => {
        for (const size of ["0", "-1", "1001", "9".repeat(30)])
          await expectErrors(await blog.editor(`${base}?page_size=${size}`), {
            parameter: "page_size",
            code: "out_of_range",
          });
        for (const size of ["abc", "1.5", "1e2", "last"])
          await expectErrors(await blog.editor(`${base}?page_size=${size}`), {
            parameter: "page_size",
            code: "not_an_integer",
          });
      });

      test("with a parameter given twice answer 422, even when both say the same", async () => {
        for (const parameter of ["page", "page_size"]) {
          await expectErrors(await blog.editor(`${base}?${parameter}=1&${parameter}=1`), {
            parameter,
            code: "repeated",
          });
        }
      });

      test("report all errors at once", async () => {
        await expectErrors(
          await blog.editor(`${base}?page=x&page_size=0&ordering=content`),
          { parameter: "page", code: "not_an_integer" },
          { parameter: "page_size", code: "out_of_range" },
          { parameter: "ordering", code: "unknown_value" },
        );
      });

      test("ignore unknown parameters", async () => {
        await clear(blog);
        await createPost(blog.editor, { published: base === POSTS });
        const page = await readPage(blog.editor, base);
        expect(await readPage(blog.editor, `${base}?find=x&format=json&Page=9&a=1&a=2`)).toEqual(page);
      });
    });
  }
});
