import { afterAll, beforeAll, describe, expect, type test } from "bun:test";
import type { Database } from "../../../src/database/database.ts";
import type { CommentResponse } from "../../../src/posts/comments/comment.ts";
import { collectionOf, type PostCollection, type PostResponse } from "../../../src/posts/post.ts";
import { deletePostForGood, findPost, insertPost } from "../../../src/posts/post-store.ts";
import { sendOver } from "../pages/site.ts";
import type { Send, SendInit } from "../requests/send.ts";
import { startApp } from "../server/app.ts";
import { type Engine, engines, onceOn } from "../server/engines.ts";
import { makeAccount, makeSession, makeToken, withHeaders, withToken } from "./accounts.ts";

export const POSTS = "/api/posts/";
export const DRAFTS = "/api/drafts/";
export const COMMENTS = "/api/comments/";

/** The members of a post and of a comment, in the order of the specification. */
export const POST_MEMBERS = ["id", "title", "content", "published", "created_at", "comments"];
export const COMMENT_MEMBERS = ["id", "author", "text", "created_at"];

/** A valid post, as clients send it. */
export const fields = { title: "First light", content: "Hello.", published: true };

type Settings = Readonly<Record<string, string>>;

/** The blog posts service in this process, with an account named `editor`. */
export interface Blog {
  readonly database: Database;
  /** Sends anonymous requests. */
  readonly anyone: Send;
  /** Sends requests of the editor, with a token that has all scopes; on pages, as signed in in a browser. */
  readonly editor: Send;
  /** Sends requests of the editor's browser alone. */
  readonly browser: Send;
}

/** The blog of a suite, on a database that is empty at first. */
export interface BlogSuite extends Blog {
  readonly databaseUrl: string;
  /** As {@link onceOn}. */
  readonly once: typeof test;
  /** The key of the editor's token. */
  readonly key: string;
  /** Serves the same database with other settings. */
  servedWith(settings?: Settings): Blog;
  /** A blog on another database; it is closed with the suite. */
  elsewhere(): Promise<Blog>;
}

/**
 * Describes a part of the contract of posts, drafts and comments, and tests it on every engine.
 * @param settings the settings of the suite's blog
 */
export function describeBlog(
  title: string,
  define: (blog: BlogSuite) => void,
  settings: Settings = {},
): void {
  for (const engine of engines) {
    describe(`${title} (${engine.name})`, () => {
      const suite = new Suite(engine);
      beforeAll(() => suite.start(settings));
      afterAll(() => suite.end());
      define(suite);
    });
  }
}

class Suite implements BlogSuite {
  readonly #engine: Engine;
  readonly #toEnd = new AsyncDisposableStack();
  #blog: Served | undefined;

  readonly once: typeof test;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.once = onceOn(engine);
  }

  get database(): Database {
    return this.#started.database;
  }

  get databaseUrl(): string {
    return this.#started.databaseUrl;
  }

  get key(): string {
    return this.#started.key;
  }

  readonly anyone: Send = (path, init) => this.#started.anyone(path, init);
  readonly editor: Send = (path, init) => this.#started.editor(path, init);
  readonly browser: Send = (path, init) => this.#started.browser(path, init);

  async start(settings: Settings): Promise<void> {
    this.#blog = await this.#startBlog(settings);
  }

  servedWith(settings: Settings = {}): Blog {
    const { database, key, cookie } = this.#started;
    return { database, ...sendersOf(sendOver(database, settings), key, cookie) };
  }

  elsewhere(): Promise<Blog> {
    return this.#startBlog({});
  }

  end(): Promise<void> {
    return this.#toEnd.disposeAsync();
  }

  async #startBlog(settings: Settings): Promise<Served> {
    const { url: databaseUrl } = this.#toEnd.use(await this.#engine.createDatabase());
    const { database, request, close } = await startApp({ ...settings, DATABASE_URL: databaseUrl });
    this.#toEnd.defer(close);
    const account = await makeAccount(database, "editor");
    const key = await makeToken(database, account);
    const cookie = await makeSession(database, account);
    return { database, databaseUrl, key, cookie, ...sendersOf(request, key, cookie) };
  }

  get #started(): Served {
    if (this.#blog === undefined) throw new Error("The blog is not there yet.");
    return this.#blog;
  }
}

/** A blog, with its database, key and cookie. */
type Served = Blog & Pick<BlogSuite, "databaseUrl" | "key"> & { readonly cookie: string };

function sendersOf(anyone: Send, key: string, cookie: string): Omit<Blog, "database"> {
  const browser = withHeaders(anyone, { cookie });
  return { anyone, browser, editor: withToken(browser, key) };
}

/** Deletes all posts and comments. */
export async function clear({ database }: Blog): Promise<void> {
  await database.write(async (sql) => {
    const posts = await sql<{ id: number; published: boolean | number }>`select id, published from posts`;
    for (const { id, published } of posts) {
      const post = await findPost(sql, collectionOf(Boolean(published)), Number(id));
      if (post !== undefined) await deletePostForGood(sql, post);
    }
  });
}

/** Creates a post, published by default. */
export async function createPost(
  send: Send,
  given: Partial<typeof fields> = {},
  init: SendInit = {},
): Promise<PostResponse> {
  const response = await send(POSTS, { method: "POST", json: { ...fields, ...given }, ...init });
  expect(response.status).toBe(201);
  return bodyOf(response);
}

/** Adds a comment to a post. */
export async function createComment(
  send: Send,
  post: Pick<PostResponse, "id">,
  json: { author?: string; text?: string } = {},
): Promise<CommentResponse> {
  const response = await send(commentsOf(post), { method: "POST", json: { text: "Welcome!", ...json } });
  expect(response.status).toBeOneOf([201, 202]);
  return bodyOf(response);
}

/** The path of a post, unless it has moved. */
export function pathOf({ id, published }: Pick<PostResponse, "id" | "published">): string {
  return `${published ? POSTS : DRAFTS}${id}/`;
}

export function commentsOf({ id }: Pick<PostResponse, "id">): string {
  return `${POSTS}${id}/comments/`;
}

/** Reads a resource, which must exist. */
export async function read<T = PostResponse>(send: Send, path: string): Promise<T> {
  const response = await send(path);
  expect(response.status).toBe(200);
  return bodyOf(response);
}

/** The JSON body of a response, a post by default. */
export async function bodyOf<T = PostResponse>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

/** One page of a list. */
export interface Envelope<T = PostResponse> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

export function readPage<T = PostResponse>(send: Send, path: string): Promise<Envelope<T>> {
  return read<Envelope<T>>(send, path);
}

/** Returns the entity tag of the resource at a path, which must have one. */
export async function etagOf(send: Send, path: string): Promise<string> {
  const response = await send(path);
  await response.body?.cancel();
  const etag = response.headers.get("etag");
  if (etag === null) throw new Error(`${path} answers ${response.status} without an ETag.`);
  return etag;
}

/** Stores posts with given dates, in one transaction. Returns their ids in the same order. */
export async function storePosts(
  database: Database,
  posts: readonly (Partial<Pick<PostResponse, "title" | "content">> & {
    readonly collection?: PostCollection;
    readonly createdAt: Date;
  })[],
): Promise<number[]> {
  return database.write(async (sql) => {
    const ids: number[] = [];
    for (const { title = "A post", content = "", collection = "posts", createdAt } of posts) {
      const published = collection === "posts";
      const { id } = await insertPost(sql, { title, content, published }, undefined, createdAt);
      ids.push(id);
    }
    return ids;
  });
}
