import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type Blog,
  COMMENTS,
  createComment,
  createPost,
  describeBlog,
  type Envelope,
  pathOf,
  readPage,
  storePosts,
} from "../../test/support/records/blog.ts";
import { rounds } from "../../test/support/run/full-run.ts";
import type { CommentStatus } from "../records/comment-members.ts";
import type { PostCollection, PostResponse } from "./post.ts";
import { ORDERINGS, type OrderingField } from "./post-pagination.ts";

/** Days that lie on both sides of the borders of months, years and a leap day, and one far off. */
const DAYS = [
  "2019-07-15",
  "2024-02-29",
  "2024-03-01",
  "2025-12-31",
  "2026-01-01",
  "2026-01-31",
  "2026-02-01",
];
const TIMES = ["00:00:00.000", "00:00:00.001", "12:00:00.000", "23:59:59.999"];
const TITLES = ["a", "B", "\u{1f600}", "\ufffd"];

/** A random action; `which` selects an existing post or comment. */
type Step =
  | { readonly do: "store"; readonly at: string; readonly title: string; readonly collection: PostCollection }
  | { readonly do: "create"; readonly title: string; readonly published: boolean }
  | { readonly do: "retitle"; readonly which: number; readonly title: string }
  | { readonly do: "move" | "delete" | "comment"; readonly which: number }
  | { readonly do: "decide"; readonly which: number; readonly status: CommentStatus }
  | { readonly do: "delete a comment"; readonly which: number };

const which = fc.nat(1_000);
const title = fc.constantFrom(...TITLES);
const at = fc
  .tuple(fc.constantFrom(...DAYS), fc.constantFrom(...TIMES))
  .map(([day, time]) => `${day}T${time}Z`);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("store"),
      at,
      title,
      collection: fc.constantFrom("posts", "drafts"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("create"), title, published: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("retitle"), which, title }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("move", "delete", "comment"), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("decide"),
      which,
      status: fc.constantFrom("shown", "waiting", "rejected"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete a comment"), which }) },
);

interface ModelComment {
  readonly id: number;
  status: CommentStatus;
}

interface ModelPost {
  readonly id: number;
  readonly createdAt: string;
  title: string;
  published: boolean;
  comments: ModelComment[];
}

describeBlog(
  "After anything that can be done to posts and comments",
  (blog) => {
    test("counters, pages and tags are what plain counting and sorting say", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
          const model = new Model(blog);
          const tags = new Tags();
          for (const each of steps) {
            await model.take(each);
            for (const collection of ["posts", "drafts"] as const)
              await tags.checkFirstPage(blog, model.posts, collection);
          }
          await checkCounters(blog, model.posts);
          for (const collection of ["posts", "drafts"] as const) {
            for (const ordering of ORDERINGS) await checkPages(blog, model.posts, collection, ordering);
            await checkPages(blog, model.posts, collection, "-created_at", 1);
          }
          await model.deleteAll();
          await checkCounters(blog, []);
        }),
        { seed: 20_261_121, numRuns: blog.database.engine === "sqlite" ? rounds(5, 20) : rounds(2, 3) },
      );
    });
  },
  { COMMENTS: "moderated" },
);

/** A model of the expected posts, with the same actions over HTTP. */
class Model {
  readonly #blog: Blog;
  posts: ModelPost[] = [];

  constructor(blog: Blog) {
    this.#blog = blog;
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "store": {
        const { title, collection } = step;
        const [id = 0] = await storePosts(this.#blog.database, [
          { title, collection, createdAt: new Date(step.at) },
        ]);
        this.posts.push({ id, createdAt: step.at, title, published: collection === "posts", comments: [] });
        return;
      }
      case "create": {
        const { title, published } = step;
        const { id, created_at } = await createPost(this.#blog.editor, { title, published });
        this.posts.push({ id, createdAt: created_at, title, published, comments: [] });
        return;
      }
      case "decide":
      case "delete a comment":
        return this.#moderate(step);
      default: {
        const post = this.posts[step.which % this.posts.length];
        if (post !== undefined) await this.#change(post, step);
      }
    }
  }

  async deleteAll(): Promise<void> {
    for (const post of this.posts) await this.#send(pathOf(post), "DELETE");
    this.posts = [];
  }

  async #change(
    post: ModelPost,
    step: Extract<Step, { do: "retitle" | "move" | "delete" | "comment" }>,
  ): Promise<void> {
    switch (step.do) {
      case "retitle":
        await this.#send(pathOf(post), "PUT", { title: step.title, content: "" });
        post.title = step.title;
        return;
      case "move":
        await this.#send(pathOf(post), "PATCH", { published: !post.published });
        post.published = !post.published;
        return;
      case "delete":
        await this.#send(pathOf(post), "DELETE");
        this.posts = this.posts.filter((other) => other !== post);
        return;
      case "comment": {
        if (!post.published) return;
        const known = step.which % 2 === 0;
        const send = known ? this.#blog.editor : this.#blog.anyone;
        const { id } = await createComment(send, post, { author: "Ada" });
        post.comments.push({ id, status: known ? "shown" : "waiting" });
      }
    }
  }

  async #moderate(step: Extract<Step, { do: "decide" | "delete a comment" }>): Promise<void> {
    const all = this.posts.flatMap(({ comments }) => comments);
    const comment = all[step.which % all.length];
    if (comment === undefined) return;
    const path = `${COMMENTS}${comment.id}/`;
    if (step.do === "decide") {
      await this.#send(path, "PUT", { status: step.status });
      comment.status = step.status;
    } else {
      await this.#send(path, "DELETE");
      for (const post of this.posts) post.comments = post.comments.filter((other) => other !== comment);
    }
  }

  async #send(path: string, method: string, json?: unknown): Promise<void> {
    const response = await this.#blog.editor(path, { method, ...(json !== undefined && { json }) });
    expect(response.ok).toBeTrue();
  }
}

/** Every entity tag so far, with its content. */
class Tags {
  readonly #bodies = new Map<string, string>();

  /** Checks that the first page is as expected, and that its tag never belonged to other content. */
  async checkFirstPage(
    { editor }: Blog,
    posts: readonly ModelPost[],
    collection: PostCollection,
  ): Promise<void> {
    const response = await editor(`/api/${collection}/`);
    const body = await response.text();
    const { results } = JSON.parse(body) as Envelope;
    const expected = posts.filter(isIn(collection)).toSorted(comparing("-created_at"));
    expect(results.map(outline)).toEqual(expected.slice(0, 20).map(outlineOfModel));
    const tag = `${collection} ${response.headers.get("etag")}`;
    expect(this.#bodies.get(tag) ?? body).toBe(body);
    this.#bodies.set(tag, body);
  }
}

const isIn = (collection: PostCollection) => (post: ModelPost) => post.published === (collection === "posts");

async function checkCounters({ database }: Blog, posts: readonly ModelPost[]): Promise<void> {
  const expected: Record<string, number> = {};
  for (const collection of ["posts", "drafts"] as const) {
    for (const { createdAt } of posts.filter(isIn(collection))) {
      for (const name of [`day:${createdAt.slice(0, 10)}`, `month:${createdAt.slice(0, 7)}`, "total"])
        expected[`${collection}:${name}`] = (expected[`${collection}:${name}`] ?? 0) + 1;
    }
  }
  const rows = await database.read<{ name: string; n: number }>`
    select name, sum(n) as n from counters group by name order by name`;
  const counted = rows.filter(({ name, n }) => !name.endsWith(":changes") && Number(n) !== 0);
  expect(Object.fromEntries(counted.map(({ name, n }) => [name, Number(n)]))).toEqual(expected);
}

async function checkPages(
  { editor }: Blog,
  posts: readonly ModelPost[],
  collection: PostCollection,
  ordering: OrderingField,
  size = 7,
): Promise<void> {
  const expected = posts.filter(isIn(collection)).toSorted(comparing(ordering));
  const pages = Math.max(1, Math.ceil(expected.length / size));
  const query = `ordering=${ordering}&page_size=${size}`;
  for (let page = 1; page <= pages; page++) {
    const { count, results } = await readPage(editor, `/api/${collection}/?${query}&page=${page}`);
    expect(count).toBe(expected.length);
    expect(results.map(outline)).toEqual(expected.slice((page - 1) * size, page * size).map(outlineOfModel));
  }
  expect((await editor(`/api/${collection}/?${query}&page=${pages + 1}`)).status).toBe(404);
}

function comparing(ordering: OrderingField): (one: ModelPost, other: ModelPost) => number {
  const sign = ordering.startsWith("-") ? -1 : 1;
  const member = ordering.replace("-", "");
  return (one, other) => {
    if (member === "created_at" && one.createdAt !== other.createdAt)
      return one.createdAt < other.createdAt ? -sign : sign;
    if (member === "title" && one.title !== other.title)
      return sign * ((one.title.codePointAt(0) ?? 0) - (other.title.codePointAt(0) ?? 0));
    return sign * (one.id - other.id);
  };
}

function outline({ id, title, published, created_at, comments }: PostResponse) {
  return { id, title, published, createdAt: created_at, comments: comments.map((comment) => comment.id) };
}

function outlineOfModel({ comments, ...post }: ModelPost) {
  return { ...post, comments: comments.filter(({ status }) => status === "shown").map(({ id }) => id) };
}
