import { describe, expect, test } from "bun:test";
import { checkMediaType, parseJson, readBody } from "./body.ts";

const LIMIT = 10;

test.each([
  ["arrays", (depth: number) => "[".repeat(depth) + "]".repeat(depth)],
  ["objects", (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${"}".repeat(depth - 1)}`],
  ["brackets in strings", (depth: number) => `${"[".repeat(depth)}"[{\\"["${"]".repeat(depth)}`],
])("parseJson takes 1,000 levels of %s, and refuses more", (_, nested) => {
  const parse = (depth: number) => () => parseJson(Buffer.from(nested(depth)));
  expect(parse(1_000)).not.toThrow();
  expect(parse(1_001)).toThrow("nested deeper");
  expect(parse(200_000)).toThrow("nested deeper");
});

test("parseJson takes many arrays beside each other", () => {
  expect(() => parseJson(Buffer.from(`[${"[],".repeat(5_000)}[]]`))).not.toThrow();
});

describe("readBody", () => {
  test("is empty for a request without a body", async () => {
    expect(await readBody(post(null), LIMIT)).toEqual(new Uint8Array());
  });

  test("accepts a body of exactly the limit, with Content-Length or chunked", async () => {
    const bytes = Buffer.from("0123456789");
    expect(Buffer.from(await readBody(post(bytes, bytes.length), LIMIT))).toEqual(bytes);
    expect(Buffer.from(await readBody(post(chunks(["01234", "", "56789"])), LIMIT))).toEqual(bytes);
  });

  test("refuses one byte more, with Content-Length or chunked", async () => {
    const bytes = Buffer.from("0123456789x");
    await expect(readBody(post(bytes, bytes.length), LIMIT)).rejects.toMatchObject({ reason: "too_large" });
    const inChunks = post(chunks(["01234", "56789", "x"]));
    await expect(readBody(inChunks, LIMIT)).rejects.toMatchObject({ reason: "too_large" });
  });

  test("refuses a body longer than its Content-Length", async () => {
    const bytes = Buffer.from("0123456789x");
    await expect(readBody(post(bytes, 3), LIMIT)).rejects.toMatchObject({ reason: "too_large" });
  });

  test("stops reading once the limit is exceeded", async () => {
    let made = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        made++;
        controller.enqueue(Buffer.alloc(4));
      },
    });
    await expect(readBody(post(endless), LIMIT)).rejects.toMatchObject({ reason: "too_large" });
    expect(made).toBeLessThan(10);
  });

  test("calls a truncated body malformed", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("01"));
      },
      pull(controller) {
        controller.error(new Error("connection reset"));
      },
    });
    await expect(readBody(post(broken), LIMIT)).rejects.toMatchObject({ reason: "malformed" });
  });
});

describe("parseJson", () => {
  test("returns the value", () => {
    expect(parseJson(Buffer.from(' {"a": ["\u00e9", 1, null]} '))).toEqual({ a: ["é", 1, null] });
  });

  const malformed: Record<string, Uint8Array> = {
    nothing: Buffer.from(""),
    "what is not JSON": Buffer.from("{a: 1}"),
    "a byte-order mark": Buffer.from("\ufeff{}"),
    "what is not UTF-8": Buffer.from([0x22, 0xff, 0x22]),
  };
  for (const [description, bytes] of Object.entries(malformed)) {
    test(`refuses ${description}`, () => {
      expect(() => parseJson(bytes)).toThrow(expect.objectContaining({ reason: "malformed" }));
    });
  }
});

describe("checkMediaType", () => {
  const takes = ["application/json"];
  const check = (contentType: string) => () =>
    checkMediaType(new Request("http://localhost/", { headers: { "content-type": contentType } }), takes);

  test("accepts the type in upper or lower case, with parameters", () => {
    for (const type of ["application/json", "APPLICATION/JSON", "application/json ;charset=utf-8"])
      expect(check(type)).not.toThrow();
  });

  test("refuses another type, and a missing one", () => {
    for (const type of ["text/plain", "application/jsonx", "", ";application/json"])
      expect(check(type)).toThrow(expect.objectContaining({ reason: "unsupported_media_type" }));
    expect(() => checkMediaType(new Request("http://localhost/"), takes)).toThrow("application/json");
  });
});

function post(body: RequestInit["body"], announced?: number): Request {
  const headers = announced === undefined ? {} : { "content-length": String(announced) };
  return new Request("http://localhost/", { method: "POST", headers, body });
}

function chunks(texts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const text of texts) controller.enqueue(Buffer.from(text));
      controller.close();
    },
  });
}
