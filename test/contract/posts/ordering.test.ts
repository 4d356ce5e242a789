import { beforeAll, describe, expect, test } from "bun:test";
import type { PostResponse } from "../../../src/posts/post.ts";
import { DRAFTS, describeBlog, POSTS, readPage, storePosts } from "../../support/records/blog.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";

/** Titles that collations, case folding and UTF-16 put elsewhere than code points do; one comes thrice. */
const TITLES = [
  ...[
    "a",
    "A",
    "b",
    "B",
    "Z",
    "_",
    "-",
    " ",
    "10",
    "9",
    "aa",
    "a b",
    "\u00e9",
    "e\u0301",
    "\u00df",
    "\u0131",
  ],
  ...["same", "same", "same", "\ufffd", "\ue000", "\u{10000}", "\u{1f600}", "\u{10ffff}", "\u4e00", "\u200b"],
  ...["a\u{1f600}", "a\ufffd", "a\u0001", "a\t", "'", '"'],
];

/** Five instants for them all, so that many are equal. */
const instant = (index: number) => new Date(Date.UTC(2026, 1, 27 + (index % 5)));

function byCodePoints(one: string, other: string): number {
  const [ones, others] = [[...one], [...other]];
  for (const [index, character] of ones.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (others[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return ones.length - others.length;
}

type Compare = (one: PostResponse, other: PostResponse) => number;

const byId: Compare = (one, other) => one.id - other.id;
const timeOf = ({ created_at }: PostResponse) => Date.parse(created_at);
const byTime: Compare = (one, other) => timeOf(one) - timeOf(other) || byId(one, other);
const byTitle: Compare = (one, other) => byCodePoints(one.title, other.title) || byId(one, other);

const orderings: Readonly<Record<string, Compare>> = {
  id: byId,
  "-id": (one, other) => byId(other, one),
  created_at: byTime,
  "-created_at": (one, other) => byTime(other, one),
  title: byTitle,
  "-title": (one, other) => byTitle(other, one),
  "created_at,-id": (one, other) => timeOf(one) - timeOf(other) || byId(other, one),
  "-created_at,title": (one, other) => timeOf(other) - timeOf(one) || byTitle(one, other),
  "title,-created_at": (one, other) =>
    byCodePoints(one.title, other.title) || timeOf(other) - timeOf(one) || byId(other, one),
};

describeBlog("Orderings of posts", (blog) => {
  for (const base of [POSTS, DRAFTS]) {
    describe(`The ordering of ${base}`, () => {
      beforeAll(async () => {
        const collection = base === POSTS ? "posts" : "drafts";
        const posts = TITLES.map(
          (title, index) => ({ title, collection, createdAt: instant(index) }) as const,
        );
        await storePosts(blog.database, posts);
      });

      const everything = async (query: string) => {
        const results: PostResponse[] = [];
        for (let page = 1; ; page++) {
          const { next, ...envelope } = await readPage(
            blog.editor,
            `${base}?page_size=5&page=${page}&${query}`,
          );
          expect(envelope.count).toBe(TITLES.length);
          results.push(...envelope.results);
          if (next === null) return results;
        }
      };

      for (const [ordering, compare] of Object.entries(orderings)) {
        test(`by ${ordering} holds across pages, and equal ones are in the order of their ids`, async () => {
          const results = await everything(`ordering=${ordering}`);
          expect(results.map(({ title }) => title).toSorted()).toEqual(TITLES.toSorted());
          expect(results).toEqual(results.toSorted(compare));
        });
      }

      test("is newest first when none is given", async () => {
        expect(await everything("")).toEqual(await everything("ordering=-created_at"));
      });

      test("is not in steps of an offset: that is 422 and names the pages", async () => {
        const refused = await blog.editor(`${base}?limit=5&offset=5`);
        const { errors } = await expectProblem(refused, 422);
        expect(errors).toMatchObject([{ parameter: "offset", detail: expect.stringContaining("page=2") }]);
        expect((await blog.editor(`${base}?offset=&ordering=`)).status).toBe(200);
      });

      test("by another field is 422", async () => {
        for (const ordering of [
          "content",
          "published",
          "-",
          "--id",
          "ID",
          "created_at,content",
          "id,",
          "+id",
          "%20id",
        ])
          await expectErrors(await blog.editor(`${base}?ordering=${ordering}`), {
            parameter: "ordering",
            code: "unknown_value",
          });
      });
    });
  }
});
