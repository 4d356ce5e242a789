import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { CODINGS, code, codingFor, EncodedBody, encodeStream, taggedAs } from "./content-coding.ts";

const decode = { br: brotliDecompressSync, gzip: gunzipSync };
const text = "Something that is said more than once. ".repeat(100);

describe("The content coding of a response", () => {
  test.each([
    [null, undefined],
    ["", undefined],
    ["br", "br"],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["gzip ; q=0.8 ,br; q=0.8", "br"],
    ["*", "br"],
    ["*;q=0.5, br;q=0", "gzip"],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    // What is as welcome as the plain form is used: it is shorter.
    ["identity, gzip", "gzip"],
    ["gzip;q=0.5, identity;q=0.5", "gzip"],
    ["identity;q=0", undefined],
    ["*;q=0", undefined],
    ["gzip;q=0", undefined],
    ["gzip;q=0.000", undefined],
    ["zstd, deflate, x-gzip-like", undefined],
    ["gzip;q=2", undefined],
    ["gzip;q=much, br", "br"],
    ["gzip;level=9", undefined],
    [",,;;, gzip", "gzip"],
  ] as const)("for Accept-Encoding: %s is %s", (header, coding) => {
    const headers: Record<string, string> = header === null ? {} : { "accept-encoding": header };
    expect(codingFor(new Request("http://localhost/", { headers }))).toBe(coding);
  });

  test.each(["gzip;q= ", "a", ",", ";", "a;q=1,"])(
    "is computed in time linear in the length of a header of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./content-coding.ts")>(
        import.meta.resolve("./content-coding.ts"),
      );
      await expectLinear((length) => {
        const headers = { "accept-encoding": `gzip;q=1,${piece.repeat(length)}` };
        counting.codingFor(new Request("http://localhost/", { headers }));
      });
    },
  );
});

test("an encoded form has its own strong tag", () => {
  expect(taggedAs('"abc.7"', "br")).toBe('"abc.7.br"');
  expect(taggedAs('"abc.7"', undefined)).toBe('"abc.7"');
});

describe.each(CODINGS)("%s", (coding) => {
  test("encodes a text that decodes to the same text", async () => {
    const bytes = await code(text, coding);
    expect(bytes.length).toBeLessThan(text.length / 10);
    expect(decode[coding](bytes).toString()).toBe(text);
  });

  test("is computed once for shared bytes", async () => {
    const shared = new EncodedBody(text);
    const [first, second] = await Promise.all([shared.in(coding), shared.in(coding)]);
    expect(second).toBe(first as Blob);
    expect(shared.in(coding)).toBe(first as Blob);
    expect(decode[coding](await (first as Blob).bytes()).toString()).toBe(text);
  });

  test("encodes chunks so that each can be decoded before the next is generated", async () => {
    let made = 0;
    async function* pieces() {
      for (; made < 3; made++) yield `piece ${made}, ${text}`;
    }
    const coded: Uint8Array[] = [];
    for await (const piece of encodeStream(pieces(), coding)) {
      coded.push(piece);
      if (coded.length === 1) expect(made).toBe(0);
      expect(piece.length).toBeGreaterThan(0);
    }
    const whole = decode[coding](Buffer.concat(coded)).toString();
    expect(whole).toBe([0, 1, 2].map((number) => `piece ${number}, ${text}`).join(""));
  });

  test("stops generating chunks when the reader goes away", async () => {
    let stopped = false;
    async function* pieces() {
      try {
        while (true) yield text;
      } finally {
        stopped = true;
      }
    }
    const coded = encodeStream(pieces(), coding);
    await coded.next();
    await coded.return(undefined);
    expect(stopped).toBeTrue();
  });

  test("fails when a chunk fails", async () => {
    async function* pieces() {
      yield text;
      throw new Error("the disk broke");
    }
    const coded = encodeStream(pieces(), coding);
    await coded.next();
    await expect(coded.next()).rejects.toThrow("the disk broke");
  });
});
