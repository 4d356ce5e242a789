import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import drfProvider, { fetchJsonWithAuthToken, tokenAuthProvider } from "ra-data-django-rest-framework";
import type { PostResponse } from "../../src/posts/post.ts";
import { type BlogServer, credentials, startBlogServer } from "./blog-server.ts";

/** What a browser has and this package keeps its token in. */
class Storage {
  readonly #items = new Map<string, string>();

  getItem(name: string): string | null {
    return this.#items.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.#items.set(name, value);
  }

  removeItem(name: string): void {
    this.#items.delete(name);
  }
}

/** The client as its readme sets it up, with the addresses of our API. */
let server: BlogServer;
let auth: ReturnType<typeof tokenAuthProvider>;
let provider: ReturnType<typeof drfProvider>;

const formerly = Object.getOwnPropertyDescriptor(globalThis, "localStorage");

beforeAll(async () => {
  server = await startBlogServer();
  auth = tokenAuthProvider({ obtainAuthTokenUrl: `${server.url}/api/token/` });
  provider = drfProvider(`${server.url}/api`, fetchJsonWithAuthToken);
});

beforeEach(async () => {
  Object.defineProperty(globalThis, "localStorage", { value: new Storage(), configurable: true });
  await auth.login(credentials);
});

afterAll(async () => {
  if (formerly === undefined) Reflect.deleteProperty(globalThis, "localStorage");
  else Object.defineProperty(globalThis, "localStorage", formerly);
  await server[Symbol.asyncDispose]();
});

const create = async (title: string, resource = "posts"): Promise<PostResponse> => {
  const data = { title, content: "Hello.", published: resource === "posts" };
  return (await provider.create(resource, { data })).data as PostResponse;
};

const readOne = async (id: number) => (await provider.getOne("posts", { id })).data as PostResponse;

const list = async (page: number, perPage: number, field: string, order: string, resource = "posts") => {
  const params = { pagination: { page, perPage }, sort: { field, order }, filter: {} };
  const { data, total } = await provider.getList(resource, params);
  return { posts: data as PostResponse[], total };
};

async function startAnew(titles: readonly string[]): Promise<number[]> {
  const { posts } = await list(1, 1000, "id", "ASC");
  await provider.deleteMany("posts", { ids: posts.map(({ id }) => id) });
  const ids: number[] = [];
  for (const title of titles) ids.push((await create(title)).id);
  return ids;
}

test("signs in, and keeps the token", async () => {
  expect(localStorage.getItem("token")).toMatch(/^cmpl_/);
  await expect(auth.checkAuth({})).resolves.toBeUndefined();
});

test("reports a wrong password, and does not sign in", async () => {
  await auth.logout({});
  await expect(auth.login({ ...credentials, password: "incorrect horse" })).rejects.toThrow("Unauthorized");
  expect(localStorage.getItem("token")).toBeNull();
});

test("drops its token when the service refuses it", async () => {
  localStorage.setItem("token", "cmpl_garbage");
  const error: unknown = await list(1, 10, "id", "ASC").catch((error) => error);
  expect(error).toMatchObject({ status: 401 });
  await expect(auth.checkError(error)).rejects.toBeUndefined();
  expect(localStorage.getItem("token")).toBeNull();
  expect((await list(1, 10, "id", "ASC")).total).toBeNumber();
});

test("creates a post, and reads it back", async () => {
  const post = await create("Created");
  expect(post).toMatchObject({ title: "Created", content: "Hello.", published: true, comments: [] });
  expect(await readOne(post.id)).toEqual(post);
});

test("lists posts by page, in every order, with their total", async () => {
  const ids = await startAnew(["b", "a", "c", "e", "d"]);
  const seen = async (page: number, field: string, order: string) => {
    const { posts, total } = await list(page, 2, field, order);
    return { titles: posts.map(({ title }) => title).join(""), total };
  };
  expect(await seen(1, "title", "ASC")).toEqual({ titles: "ab", total: 5 });
  expect(await seen(3, "title", "ASC")).toEqual({ titles: "e", total: 5 });
  expect(await seen(1, "title", "DESC")).toEqual({ titles: "ed", total: 5 });
  expect(await seen(2, "id", "ASC")).toEqual({ titles: "ce", total: 5 });
  expect(await seen(1, "created_at", "DESC")).toEqual({ titles: "de", total: 5 });
  const many = (await provider.getMany("posts", { ids: ids.slice(1, 3) })).data as PostResponse[];
  expect(many.map(({ title }) => title)).toEqual(["a", "c"]);
});

test("lists nothing where there is nothing", async () => {
  await startAnew([]);
  expect(await list(1, 10, "id", "ASC")).toEqual({ posts: [], total: 0 });
});

test("searches posts, and gets a reference's as if it were none: the service ignores a filter that it does not know", async () => {
  await startAnew(["a"]);
  const params = {
    pagination: { page: 1, perPage: 25 },
    sort: { field: "id", order: "DESC" },
    filter: { q: "a", author: "Ada" },
  };
  expect((await provider.getList("posts", params)).total).toBe(1);
  expect((await provider.getList("posts", { ...params, filter: { q: "x" } })).total).toBe(0);
  const reference = { ...params, target: "author_id", id: 7 };
  expect((await provider.getManyReference("posts", reference)).total).toBe(1);
});

test("updates a post by PATCH, also with the whole record that it has read", async () => {
  const post = await create("Before");
  const patched = await provider.update("posts", {
    id: post.id,
    data: { title: "After" },
    previousData: post,
  });
  expect(patched.data).toEqual({ ...post, title: "After" });
  const data = { ...post, content: "Changed." };
  await provider.update("posts", { id: post.id, data, previousData: post });
  expect(await readOne(post.id)).toEqual(data);
});

test("updates many", async () => {
  const [kept = 0, ...ids] = await startAnew(["one", "two", "three"]);
  const answer = await provider.updateMany("posts", { ids, data: { content: "Replaced." } });
  expect(answer.data).toEqual(ids);
  for (const id of ids) expect((await readOne(id)).content).toBe("Replaced.");
  expect((await readOne(kept)).content).toBe("Hello.");
});

test("deletes one, and many", async () => {
  const [kept = 0, one = 0, ...many] = await startAnew(["stays", "one", "two", "three"]);
  const previousData = await readOne(one);
  expect((await provider.delete("posts", { id: one, previousData })).data).toEqual(previousData);
  await provider.deleteMany("posts", { ids: many });
  const { posts, total } = await list(1, 10, "id", "ASC");
  expect(posts.map(({ id }) => id)).toEqual([kept]);
  expect(total).toBe(1);
  await expect(readOne(one)).rejects.toMatchObject({ status: 404 });
});

test("works on drafts as on posts, and publishes one", async () => {
  const draft = await create("Unfinished", "drafts");
  expect(await list(1, 10, "id", "ASC", "drafts")).toEqual({ posts: [draft], total: 1 });
  const data = { published: true };
  await provider.update("drafts", { id: draft.id, data, previousData: draft });
  expect(await readOne(draft.id)).toEqual({ ...draft, published: true });
  expect((await list(1, 10, "id", "ASC", "drafts")).total).toBe(0);
});

test("once signed out reads, and may not write", async () => {
  const post = await create("Public");
  await auth.logout({});
  await expect(auth.checkAuth({})).rejects.toBeUndefined();
  expect(await readOne(post.id)).toEqual(post);
  await expect(create("Refused")).rejects.toMatchObject({ status: 401 });
  await expect(provider.delete("posts", { id: post.id, previousData: post })).rejects.toMatchObject({
    status: 401,
  });
  expect(await readOne(post.id)).toEqual(post);
});
