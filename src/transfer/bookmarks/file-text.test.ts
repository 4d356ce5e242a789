import { expect, test } from "bun:test";
import { encoded } from "../../../test/support/files/encoded.ts";
import { startCpuTimer } from "../../../test/support/machine/cpu-time.ts";
import { fileAt, fileOf } from "../files/file-bytes.ts";
import * as text from "./file-text.ts";

/** The number of bytes read at once: first enough to detect the encoding, then so few that chunks end anywhere. */
const FIRST_PIECE = 110;
const PIECE = 7;

const meta = (charset: string) => `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">`;

test("a byte order mark determines the encoding of a file, and is not part of the text", () => {
  expect(decodeBookmarkFile(bytes("efbbbf", "é"))).toEqual({ text: "é", encoding: "utf-8", strayLines: [] });
  expect(decodeBookmarkFile(Buffer.from("fffe3d04", "hex"))).toEqual({
    text: "н",
    encoding: "utf-16le",
    strayLines: [],
  });
  expect(decodeBookmarkFile(Buffer.from("feff043d", "hex"))).toEqual({
    text: "н",
    encoding: "utf-16be",
    strayLines: [],
  });
});

test("without one, the declaration determines it", () => {
  expect(
    decodeBookmarkFile(Buffer.concat([Buffer.from(meta("Shift_JIS")), Buffer.from("93fa967b", "hex")])),
  ).toEqual({
    text: `${meta("Shift_JIS")}日本`,
    encoding: "shift_jis",
    strayLines: [],
  });
  expect(decodeBookmarkFile(Buffer.from(`${meta("ISO-8859-1")}caf\xe9`, "latin1"))).toEqual({
    text: `${meta("ISO-8859-1")}café`,
    encoding: "windows-1252",
    strayLines: [],
  });
});

test("without either, or with an unknown or impossible declaration, it is UTF-8", () => {
  for (const text of ["é", `${meta("x-klingon")}é`, `${meta("utf-16")}é`])
    expect(decodeBookmarkFile(Buffer.from(text))).toEqual({ text, encoding: "utf-8", strayLines: [] });
});

test("UTF-8 wins over another declaration, with a remark; what is ASCII is what it declares", () => {
  for (const label of ["windows-1251", "Shift_JIS", "GBK"]) {
    const text = `${meta(label)}Žluťoučký 日本`;
    expect(decodeBookmarkFile(Buffer.from(text))).toEqual({
      ...{ text, encoding: "utf-8", strayLines: [] },
      remark: expect.stringContaining("but it is UTF-8"),
    });
  }
  const escaped = `${meta("ISO-2022-JP")}\x1b$BF|K\\\x1b(B`;
  expect(decodeBookmarkFile(Buffer.from(escaped))).toMatchObject({ encoding: "iso-2022-jp", strayLines: [] });
});

test("text that is invalid in the declared encoding is read as windows-1252, with a remark and examples", () => {
  for (const text of ["caf\xe9 \xff\xe9 \xe9", `${meta("UTF-8")}caf\xe9 \xff\xe9 \xe9`])
    expect(decodeBookmarkFile(Buffer.from(text, "latin1"))).toEqual({
      ...{ text, encoding: "windows-1252", strayLines: [] },
      remark: expect.stringContaining("not utf-8. It is read as windows-1252, such as “café”, “ÿé”, “é”."),
    });
});

test("a chosen encoding wins over what a file states", () => {
  const file = encoded(`${meta("UTF-8")}Привет`, "windows-1251");
  const { encoding, pieces, remark } = text.decodeBookmarkFile(fileOf(file), "windows-1251");
  expect([encoding, [...pieces()].join(""), remark]).toEqual([
    "windows-1251",
    `${meta("UTF-8")}Привет`,
    undefined,
  ]);
});

test("a line in a different encoding than the rest is read as windows-1252, with a note", () => {
  const rest = `${meta("UTF-8")}\r\nZürich 日本\r\n`;
  const mixed = Buffer.concat([Buffer.from(rest), Buffer.from("caf\xe9\r\n\xff", "latin1")]);
  expect(decodeBookmarkFile(mixed)).toEqual({
    text: `${rest}café\r\nÿ`,
    encoding: "utf-8",
    strayLines: [3, 4],
  });
  const japanese = Buffer.concat([Buffer.from(meta("Shift_JIS")), Buffer.from("93fa0dff0d967b", "hex")]);
  expect(decodeBookmarkFile(japanese)).toEqual({
    text: `${meta("Shift_JIS")}日\rÿ\r本`,
    encoding: "shift_jis",
    strayLines: [2],
  });
});

test("any bytes can be decoded, in linear time", () => {
  const cpuTime = startCpuTimer();
  for (const byte of ["<meta ", "<meta charset", "\xff", " ", "\xc3\xa9\n\xff\r"])
    decodeBookmarkFile(Buffer.from(byte.repeat(1_000_000 / byte.length), "latin1"));
  expect(cpuTime()).toBeLessThan(4_000);
});

function bytes(mark: string, text: string): Uint8Array {
  return Buffer.concat([Buffer.from(mark, "hex"), Buffer.from(text)]);
}

/** Reads a file in chunks of a few bytes, which end anywhere, and joins its text. */
function decodeBookmarkFile(bytes: Uint8Array) {
  const file = fileAt(bytes.length, (buffer, position) => {
    const piece = bytes.subarray(
      position,
      position + (position === 0 ? FIRST_PIECE : Math.max(PIECE, bytes.length >> 10)),
    );
    buffer.set(piece);
    return piece.length;
  });
  const { pieces, ...rest } = text.decodeBookmarkFile(file);
  return { text: [...pieces()].join(""), ...rest };
}
