import { expect, test } from "bun:test";
import { StaticContent } from "./static-content.ts";

const text = "Something that stays the same. ".repeat(20);

function make(load: () => Uint8Array | Promise<Uint8Array> = () => Buffer.from(text)): StaticContent {
  return new StaticContent({ load, contentType: "text/plain", headers: { "x-own": "yes" } });
}

function ask(headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/", { headers });
}

test("content is loaded at the first request, and only once", async () => {
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

test("a failure to load is reported, and not cached", async () => {
  let broken = true;
  const content = make(() => (broken ? Promise.reject(new Error("gone")) : Buffer.from(text)));
  await expect(content.answer(ask())).rejects.toThrow("gone");
  broken = false;
  expect((await content.answer(ask())).status).toBe(200);
});

test("the tag depends on the bytes alone, so that all processes have the same", async () => {
  const [one, same, other] = await Promise.all(
    [text, text, `${text}!`].map((words) => make(() => Buffer.from(words)).answer(ask())),
  );
  expect(same?.etag).toBe(one?.etag);
  expect(other?.etag).not.toBe(one?.etag);
});

test("a current copy gets 304, with the headers of the 200", async () => {
  const { etag = "" } = await make().answer(ask());
  for (const tag of [etag, `W/${etag}`, etag.replace(/"$/, '.gzip"')]) {
    const response = await make().answer(ask({ "if-none-match": tag }));
    expect(response).toEqual({
      status: 304,
      body: null,
      etag,
      caching: "public",
      contentType: "text/plain",
      headers: { "x-own": "yes" },
    });
  }
  expect((await make().answer(ask({ "if-none-match": '"another"' }))).status).toBe(200);
});
