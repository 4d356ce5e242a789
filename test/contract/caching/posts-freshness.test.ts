import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PostResponse } from "../../../src/posts/post.ts";
import { withToken } from "../../support/records/accounts.ts";
import {
  COMMENTS,
  commentsOf,
  createComment,
  createPost,
  DRAFTS,
  describeBlog,
  type Envelope,
  POSTS,
  pathOf,
} from "../../support/records/blog.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { startApp } from "../../support/server/app.ts";
import { startServer } from "../../support/server/server.ts";

const PAGES = [POSTS, `${POSTS}?page_size=1&page=last`, `${POSTS}?ordering=title&page_size=3`];

/** Everything that changes what the public sees of a post, one after the other; the post goes in the end. */
function changesOf(writer: Send, post: PostResponse): readonly (() => Promise<unknown>)[] {
  const send = (path: string, method: string, json?: unknown) =>
    writer(path, { method, ...(json !== undefined && { json }) });
  const draft = `${DRAFTS}${post.id}/`;
  let comment = "";
  return [
    () => send(pathOf(post), "PUT", { title: "0 first by title", content: "" }),
    () => send(pathOf(post), "PATCH", { content: "Changed." }),
    async () => {
      const { id } = await createComment(writer, post);
      comment = `${COMMENTS}${id}/`;
    },
    () => send(comment, "PUT", { status: "waiting" }),
    () => send(comment, "PUT", { status: "shown" }),
    () => send(comment, "DELETE"),
    () => send(pathOf(post), "PATCH", { published: false }),
    () => send(draft, "PUT", { title: "Published again", content: "", published: true }),
    () => send(commentsOf(post), "POST", { text: "Goes with its post." }),
    () => send(pathOf(post), "DELETE"),
  ];
}

describeBlog("The very next read after a write", (blog) => {
  let otherConnection: Send;
  let otherProcess: Send;
  const toEnd = new AsyncDisposableStack();

  beforeAll(async () => {
    for (let count = 0; count < 4; count++) await createPost(blog.editor);
    const app = await startApp({ DATABASE_URL: blog.databaseUrl });
    toEnd.defer(app.close);
    otherConnection = app.request;
    const server = await startServer({ DATABASE_URL: blog.databaseUrl });
    toEnd.defer(server.kill);
    otherProcess = sendTo(server.url);
  });

  afterAll(() => toEnd.disposeAsync());

  const writers: Readonly<Record<string, () => Send>> = {
    "the same application": () => blog.editor,
    "another connection": () => withToken(otherConnection, blog.key),
    "another process": () => withToken(otherProcess, blog.key),
  };

  describe.each(Object.keys(writers))("by %s", (name) => {
    test("is on every page, whatever was cached", async () => {
      const writer = writers[name]?.() ?? blog.editor;
      const post = await createPost(writer);
      const paths = [...PAGES, pathOf(post)];
      const readers = [blog.anyone, otherConnection, otherProcess];
      const places = readers.flatMap((reader) => paths.map((path) => ({ reader, path })));
      let tags = await Promise.all(places.map(({ reader, path }) => tagOf(reader, path)));
      for (const change of changesOf(writer, post)) {
        await change();
        const answers = await Promise.all(
          places.map(({ reader, path }, index) => readPath(reader, path, tags[index])),
        );
        // From a new application, whose caches are empty.
        const fresh = blog.servedWith().anyone;
        expect(answers).toEqual(await Promise.all(places.map(({ path }) => readPath(fresh, path))));
        tags = answers.map(({ etag }) => etag);
      }
    });
  });
});

const tagOf = async (reader: Send, path: string) => (await reader(path)).headers.get("etag");

/** Reads a path. @param tag the entity tag that the reader has cached */
async function readPath(reader: Send, path: string, tag?: string | null) {
  const response = await reader(path, { headers: tag ? { "if-none-match": tag } : {} });
  const { count, results, ...one } = (await response.json()) as Partial<Envelope> & Partial<PostResponse>;
  const { status, headers } = response;
  // The `next` and `previous` links of a list differ by reader: they repeat the host of the request.
  const post = status === 200 && results === undefined ? one : undefined;
  return { status, etag: headers.get("etag"), count, results, post };
}
