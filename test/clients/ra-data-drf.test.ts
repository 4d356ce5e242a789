import { afterAll, beforeAll, expect, test } from "bun:test";
import { fetchUtils } from "ra-core";
import drfProvider, { type Provider } from "ra-data-drf";
import type { PostResponse } from "../../src/posts/post.ts";
import { type BlogServer, credentials, startBlogServer } from "./blog-server.ts";

/**
 * The client as its readme sets it up, with the address of our API and, as react-admin does it, an HTTP
 * client that adds the token of the one who is signed in.
 */
let server: BlogServer;
let provider: Provider;

beforeAll(async () => {
  server = await startBlogServer();
  const response = await fetch(`${server.url}/api/token/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { token } = (await response.json()) as { token: string };
  const user = { authenticated: true, token: `Token ${token}` };
  provider = drfProvider(`${server.url}/api`, (url, options) =>
    fetchUtils.fetchJson(url, { ...options, user }),
  );
});

afterAll(() => server[Symbol.asyncDispose]());

const create = async (title: string, resource = "posts") => {
  const data = { title, content: "Hello.", published: resource === "posts" };
  return (await provider<PostResponse>("CREATE", resource, { data })).data;
};

const readOne = async (id: number) => (await provider<PostResponse>("GET_ONE", "posts", { id })).data;

const list = (page: number, perPage: number, field: string, order: string, resource = "posts") =>
  provider<PostResponse[]>("GET_LIST", resource, {
    pagination: { page, perPage },
    sort: { field, order },
    filter: {},
  });

async function startAnew(titles: readonly string[]): Promise<number[]> {
  const { data } = await list(1, 1000, "id", "ASC");
  for (const { id } of data) await provider("DELETE", "posts", { id });
  const ids: number[] = [];
  for (const title of titles) ids.push((await create(title)).id);
  return ids;
}

test("creates a post, and reads it back", async () => {
  const { id } = await create("Created");
  expect(await readOne(id)).toMatchObject({ id, title: "Created", content: "Hello.", published: true });
});

test("lists posts by page, in every order, with their total", async () => {
  const ids = await startAnew(["b", "a", "c", "e", "d"]);
  const seen = async (page: number, field: string, order: string) => {
    const { data, total } = await list(page, 2, field, order);
    return { titles: data.map(({ title }) => title).join(""), total };
  };
  expect(await seen(1, "title", "ASC")).toEqual({ titles: "ab", total: 5 });
  expect(await seen(3, "title", "ASC")).toEqual({ titles: "e", total: 5 });
  expect(await seen(1, "title", "DESC")).toEqual({ titles: "ed", total: 5 });
  expect(await seen(2, "id", "ASC")).toEqual({ titles: "ce", total: 5 });
  expect(await seen(1, "created_at", "DESC")).toEqual({ titles: "de", total: 5 });
  const { data } = await provider<PostResponse[]>("GET_MANY", "posts", { ids: ids.slice(1, 3) });
  expect(data.map(({ title }) => title)).toEqual(["a", "c"]);
});

test("lists nothing where there is nothing", async () => {
  await startAnew([]);
  expect(await list(1, 10, "id", "ASC")).toEqual({ data: [], total: 0 });
});

test("ignores filters that the service does not know, as getting a reference's posts does", async () => {
  await startAnew(["a"]);
  const { total } = await provider("GET_MANY_REFERENCE", "posts", {
    pagination: { page: 1, perPage: 25 },
    sort: { field: "id", order: "DESC" },
    filter: { q: "x" },
    target: "author_id",
    id: 7,
  });
  expect(total).toBe(1);
});

test("updates a post with the whole record that it has read", async () => {
  const post = await readOne((await create("Before")).id);
  const data = { ...post, title: "After" };
  expect((await provider<PostResponse>("UPDATE", "posts", { id: post.id, data })).data).toEqual(data);
  expect(await readOne(post.id)).toEqual(data);
});

test("updates many at paths without the last slash: the redirect carries method, body and token", async () => {
  const [kept = 0, ...ids] = await startAnew(["one", "two", "three"]);
  const data = { title: "All alike", content: "Replaced.", published: true };
  const response = await provider<PostResponse[]>("UPDATE_MANY", "posts", { ids, data });
  expect(response.data.map(({ id }) => id)).toEqual(ids);
  for (const id of ids) expect(await readOne(id)).toMatchObject(data);
  expect((await readOne(kept)).title).toBe("one");
});

test("deletes a post", async () => {
  const post = await readOne((await create("Deleted")).id);
  const response = await provider("DELETE", "posts", { id: post.id, previousData: post });
  expect(response.data).toEqual(post);
  await expect(readOne(post.id)).rejects.toMatchObject({ status: 404 });
});

test("deletes many at paths without the last slash", async () => {
  const ids = await startAnew(["one", "two", "three"]);
  await provider("DELETE_MANY", "posts", { ids: ids.slice(1) });
  const { data } = await list(1, 10, "id", "ASC");
  expect(data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
});

test("works on drafts as on posts, and publishes one", async () => {
  const { id } = await create("Unfinished", "drafts");
  const { data: drafts } = await list(1, 10, "id", "ASC", "drafts");
  expect(drafts.map((draft) => draft.id)).toEqual([id]);
  const data = { ...drafts[0], published: true };
  await provider("UPDATE", "drafts", { id, data });
  expect(await readOne(id)).toEqual(data as PostResponse);
  expect((await list(1, 10, "id", "ASC", "drafts")).total).toBe(0);
});

test("without a token reads, and may not write", async () => {
  const stranger = drfProvider(`${server.url}/api`);
  const { id } = await create("Public");
  expect((await stranger<PostResponse>("GET_ONE", "posts", { id })).data.title).toBe("Public");
  const data = { title: "x", content: "" };
  for (const [type, params] of [
    ["CREATE", { data }],
    ["UPDATE", { id, data }],
    ["UPDATE_MANY", { ids: [id], data }],
    ["DELETE", { id }],
    ["DELETE_MANY", { ids: [id] }],
  ] as const)
    await expect(stranger(type, "posts", params)).rejects.toMatchObject({ status: 401 });
  expect((await readOne(id)).title).toBe("Public");
});
