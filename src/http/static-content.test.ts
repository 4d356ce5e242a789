import { expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { StaticContent } from "./static-content.ts";

const text = "Something that stays the same. ".repeat(20);

function make(load: () => Uint8Array | Promise<Uint8Array> = () => Buffer.from(text)): StaticContent {
  return new StaticContent({ load, contentType: "text/plain", headers: { "x-own": "yes" } });
}

function ask(headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { headers });
}

test("nothing is loaded before it is asked for, and then once for all", async () => {
  let loads = 0;
  const content = make(() => {
    loads++;
    return Buffer.from(text);
  });
  expect(loads).toBe(0);
  await Promise.all([content.answer(ask()), content.answer(ask())]);
  await content.answer(ask());
  expect(loads).toBe(1);
});

test("a failure to load is told, and not kept", async () => {
  let broken = true;
  const content = make(() => (broken ? Promise.reject(new Error("gone")) : Buffer.from(text)));
  await expect(content.answer(ask())).rejects.toThrow("gone");
  broken = false;
  expect((await content.answer(ask())).status).toBe(200);
});

test.each(["gzip", "br, gzip", "GZIP", "gzip;q=0.5", "gzip; q=1.0, identity"])(
  "Accept-Encoding: %s gets it gzipped, with a tag of its own",
  async (accept) => {
    const plain = await make().answer(ask());
    const { body, etag, headers } = await make().answer(ask({ "accept-encoding": accept }));
    expect(headers).toEqual({ "x-own": "yes", "content-encoding": "gzip" });
    expect(gunzipSync(body as Uint8Array).toString()).toBe(text);
    expect(etag).toBe(plain.etag?.replace(/"$/, '.gzip"'));
  },
);

test.each(["", "br", "gzip;q=0", "gzip; q=0.000", "identity, gzip;q=0.0", "x-gzip-like"])(
  "Accept-Encoding: %s gets it plain",
  async (accept) => {
    const { body, etag, headers } = await make().answer(ask({ "accept-encoding": accept }));
    expect(headers).toEqual({ "x-own": "yes" });
    expect(String(body)).toBe(text);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
  },
);

test("the tag is that of the bytes: the same wherever they are the same", async () => {
  const [one, same, other] = await Promise.all(
    [text, text, `${text}!`].map((words) => make(() => Buffer.from(words)).answer(ask())),
  );
  expect(same?.etag).toBe(one?.etag);
  expect(other?.etag).not.toBe(one?.etag);
});

test("a copy in either coding still holds, and 304 carries what 200 does", async () => {
  const { etag = "" } = await make().answer(ask());
  const { etag: gzipped = "" } = await make().answer(ask({ "accept-encoding": "gzip" }));
  for (const tag of [etag, gzipped, `W/${etag}`, `"another", ${gzipped}`]) {
    const answer = await make().answer(ask({ "if-none-match": tag }));
    expect(answer).toEqual({ status: 304, body: null, etag, caching: "public", headers: { "x-own": "yes" } });
  }
  expect((await make().answer(ask({ "if-none-match": '"another"' }))).status).toBe(200);
});
