import { expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import { CODINGS } from "../../../src/http/encoding/content-coding.ts";
import { createPost, POSTS } from "../../support/records/blog.ts";
import { COLLECTION, create, fill } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { fullRunTest } from "../../support/run/full-run.ts";
import { describeContract, type Service } from "../../support/server/contract.ts";

const decode = { br: brotliDecompressSync, gzip: gunzipSync };

/** What is on the wire for a client that takes a coding: the runtime's own client would decode it. */
async function fetchCoded(send: Send, path: string, accept: string, headers: Record<string, string> = {}) {
  const init = { headers: { "accept-encoding": accept, ...headers }, decompress: false } as RequestInit;
  const response = await send(path, init);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** A service with a list and a page that are worth coding, and a list that is too long to be kept. */
async function filled(service: Service): Promise<{ send: Send; paths: string[] }> {
  const databaseUrl = await service.createDatabase();
  await fill(databaseUrl, 3_000, 300);
  const { request } = await service.startApp({ DATABASE_URL: databaseUrl, POSTS_ACCESS: "open" });
  for (let index = 0; index < 3; index++) await createPost(request, { content: "Hello. ".repeat(500) });
  return {
    send: request,
    paths: [COLLECTION, `${COLLECTION}?limit=100`, POSTS, `${POSTS}1/`, "/openapi.json"],
  };
}

describeContract("Content codings", (service) => {
  test("are those that the client accepts: the same content in each, with its own strong tag", async () => {
    const { send, paths } = await filled(service);
    for (const path of paths) {
      const { response: plain, bytes: expected } = await fetchCoded(send, path, "identity");
      expect(plain.headers.get("content-encoding")).toBeNull();
      const tags = new Set([plain.headers.get("etag")]);
      for (const coding of CODINGS) {
        // Twice: what is kept, and what is made first, are the same.
        for (let time = 0; time < 2; time++) {
          const { response, bytes } = await fetchCoded(send, path, coding);
          expect(response.headers.get("content-encoding")).toBe(coding);
          expect(response.headers.get("vary")).toBe("Accept-Encoding");
          expect(response.headers.get("content-type")).toBe(plain.headers.get("content-type"));
          expect(response.headers.get("link")).toBe(plain.headers.get("link"));
          expect(bytes.length).toBeLessThan(expected.length / 2);
          expect(decode[coding](bytes).equals(expected)).toBeTrue();
          tags.add(response.headers.get("etag"));
        }
      }
      expect(tags.size).toBe(3);
      for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
    }
  });

  test("do not matter for revalidation; a 304 has the tag of the coding that the client would get", async () => {
    const { send, paths } = await filled(service);
    for (const path of paths) {
      const plain = (await fetchCoded(send, path, "identity")).response.headers.get("etag") ?? "";
      const coded = (await fetchCoded(send, path, "br")).response.headers.get("etag") ?? "";
      const both = `${plain}, ${coded}`;
      for (const [accept, ifNoneMatch, etag] of [
        ["br", coded, coded],
        ["identity", plain, plain],
        ["br", both, coded],
        ["identity", both, plain],
        ["identity", coded, plain],
        ["gzip", plain, plain],
      ] as const) {
        const { response } = await fetchCoded(send, path, accept, { "if-none-match": ifNoneMatch });
        expect([response.status, response.headers.get("etag")]).toEqual([304, etag]);
      }
    }
  });

  test("are not used for small responses or errors", async () => {
    const { request } = await service.startApp();
    const bookmark = await create(request);
    for (const path of [COLLECTION, `${COLLECTION}${bookmark.id}`, `${COLLECTION}0`, "/healthz"]) {
      const { response } = await fetchCoded(request, path, "br, gzip");
      expect(response.headers.get("content-encoding")).toBeNull();
    }
  });

  test("follow every change at once", async () => {
    const { request } = await service.startApp();
    const expected: string[] = [];
    for (let index = 0; index < 20; index++) {
      const { title } = await create(request, { title: `${index}`, description: "x".repeat(500) });
      expected.unshift(title);
      const { response, bytes } = await fetchCoded(request, COLLECTION, "br");
      const plain = response.headers.has("content-encoding") ? brotliDecompressSync(bytes) : bytes;
      const list = JSON.parse(plain.toString()) as BookmarkResponse[];
      expect(list.map(({ title }) => title)).toEqual(expected);
    }
  });

  test("have tags that a write accepts as If-Match", async () => {
    const { request } = await service.startApp({ POSTS_ACCESS: "open" });
    const post = await createPost(request, { content: "Hello. ".repeat(500) });
    const path = `${POSTS}${post.id}/`;
    const { response } = await fetchCoded(request, path, "gzip");
    const etag = response.headers.get("etag") ?? "";
    const change = () =>
      request(path, { method: "PATCH", json: { title: "Second" }, headers: { "if-match": etag } });
    expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(412);
  });
});

describeContract("A list longer than the cache", (service) => {
  fullRunTest.each(CODINGS)("is complete over the wire in %s", async (coding) => {
    const DATABASE_URL = await service.createDatabase();
    await fill(DATABASE_URL, 3_000, 300);
    const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
    const { response, bytes } = await fetchCoded(send, COLLECTION, coding);
    expect(response.headers.get("content-encoding")).toBe(coding);
    expect(JSON.parse(decode[coding](bytes).toString())).toHaveLength(3_000);
  });
});
