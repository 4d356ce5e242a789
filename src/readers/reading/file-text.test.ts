import { expect, test } from "bun:test";
import { encoded } from "../../../test/support/files/encoded.ts";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import type { Label } from "../../decoding/encodings.ts";
import { decodeBookmarkFile as decode } from "./file-text.ts";

/** The number of bytes read at once: first enough to detect the encoding, then so few that chunks end anywhere. */
const FIRST_PIECE = 110;
const PIECE = 7;

const meta = (charset: string) => `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">`;

test("a byte order mark determines the encoding of a file, and is not part of the text", async () => {
  expect(await decodeBookmarkFile(bytes("efbbbf", "é"))).toEqual({
    text: "é",
    encoding: "utf-8",
    strayLines: [],
  });
  expect(await decodeBookmarkFile(Buffer.from("fffe3d04", "hex"))).toEqual({
    text: "н",
    encoding: "utf-16le",
    strayLines: [],
  });
  expect(await decodeBookmarkFile(Buffer.from("feff043d", "hex"))).toEqual({
    text: "н",
    encoding: "utf-16be",
    strayLines: [],
  });
});

test("without one, the declaration determines it", async () => {
  expect(
    await decodeBookmarkFile(Buffer.concat([Buffer.from(meta("Shift_JIS")), Buffer.from("93fa967b", "hex")])),
  ).toEqual({
    text: `${meta("Shift_JIS")}日本`,
    encoding: "shift_jis",
    strayLines: [],
  });
  expect(await decodeBookmarkFile(Buffer.from(`${meta("ISO-8859-1")}caf\xe9`, "latin1"))).toEqual({
    text: `${meta("ISO-8859-1")}café`,
    encoding: "windows-1252",
    strayLines: [],
  });
});

test("without either, or with an unknown or impossible declaration, it is UTF-8", async () => {
  for (const text of ["é", `${meta("x-klingon")}é`, `${meta("utf-16")}é`])
    expect(await decodeBookmarkFile(Buffer.from(text))).toEqual({ text, encoding: "utf-8", strayLines: [] });
});

test("UTF-8 wins over another declaration, with a remark; what is ASCII is what it declares", async () => {
  for (const label of ["windows-1251", "Shift_JIS", "GBK"]) {
    const text = `${meta(label)}Žluťoučký 日本`;
    expect(await decodeBookmarkFile(Buffer.from(text))).toEqual({
      ...{ text, encoding: "utf-8", strayLines: [] },
      remark: expect.stringContaining("but it is UTF-8"),
    });
  }
  const escaped = `${meta("ISO-2022-JP")}\x1b$BF|K\\\x1b(B`;
  expect(await decodeBookmarkFile(Buffer.from(escaped))).toMatchObject({
    encoding: "iso-2022-jp",
    strayLines: [],
  });
});

test("text that is invalid in the declared encoding is read as windows-1252, with a remark and examples", async () => {
  for (const text of ["caf\xe9 \xff\xe9 \xe9", `${meta("UTF-8")}caf\xe9 \xff\xe9 \xe9`])
    expect(await decodeBookmarkFile(Buffer.from(text, "latin1"))).toEqual({
      ...{ text, encoding: "windows-1252", strayLines: [] },
      remark: expect.stringContaining("not utf-8. It is read as windows-1252, such as “café”, “ÿé”, “é”."),
    });
});

test("a chosen encoding wins over what a file states", async () => {
  const file = encoded(`${meta("UTF-8")}Привет`, "windows-1251");
  const { text, encoding, remark } = await decodeBookmarkFile(file, "windows-1251");
  expect([encoding, text, remark]).toEqual(["windows-1251", `${meta("UTF-8")}Привет`, undefined]);
});

test("a line in a different encoding than the rest is read as windows-1252, with a note", async () => {
  const rest = `${meta("UTF-8")}\r\nZürich 日本\r\n`;
  const mixed = Buffer.concat([Buffer.from(rest), Buffer.from("caf\xe9\r\n\xff", "latin1")]);
  expect(await decodeBookmarkFile(mixed)).toEqual({
    text: `${rest}café\r\nÿ`,
    encoding: "utf-8",
    strayLines: [3, 4],
  });
  const japanese = Buffer.concat([Buffer.from(meta("Shift_JIS")), Buffer.from("93fa0dff0d967b", "hex")]);
  expect(await decodeBookmarkFile(japanese)).toEqual({
    text: `${meta("Shift_JIS")}日\rÿ\r本`,
    encoding: "shift_jis",
    strayLines: [2],
  });
});

test.each(["<meta ", "<meta charset", "\xff", " ", "\xc3\xa9\n\xff\r"])(
  "bytes of nothing but %j can be decoded, in linear time",
  async (piece) => {
    const counting = await countingModules<typeof import("./file-text.ts")>(
      import.meta.resolve("./file-text.ts"),
    );
    await expectLinear((length) =>
      decodeBookmarkFile(Buffer.from(piece.repeat(length), "latin1"), undefined, counting.decodeBookmarkFile),
    );
  },
);

function bytes(mark: string, text: string): Uint8Array {
  return Buffer.concat([Buffer.from(mark, "hex"), Buffer.from(text)]);
}

/** Reads a file in chunks of a few bytes, which end anywhere, and joins its text. */
async function decodeBookmarkFile(bytes: Uint8Array, chosen?: Label, read = decode) {
  const size = Math.max(PIECE, bytes.length >> 10);
  async function* stream() {
    yield bytes.subarray(0, FIRST_PIECE);
    for (let start = FIRST_PIECE; start < bytes.length; start += size)
      yield bytes.subarray(start, start + size);
  }
  const { pieces, ...rest } = await read(async () => stream(), chosen);
  return { text: (await Array.fromAsync(pieces())).join(""), ...rest };
}
