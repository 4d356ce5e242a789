import { expect, test } from "bun:test";
import { decodeBookmarkFile } from "./import-text.ts";

const meta = (charset: string) => `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset}">`;

test("a byte order mark says what a file is in, and is no part of the text", () => {
  expect(decodeBookmarkFile(bytes("efbbbf", "é"))).toEqual({ text: "é", encoding: "utf-8" });
  expect(decodeBookmarkFile(Buffer.from("fffe3d04", "hex"))).toEqual({ text: "н", encoding: "utf-16le" });
  expect(decodeBookmarkFile(Buffer.from("feff043d", "hex"))).toEqual({ text: "н", encoding: "utf-16be" });
});

test("without one, the declaration says it", () => {
  expect(
    decodeBookmarkFile(Buffer.concat([Buffer.from(meta("Shift_JIS")), Buffer.from("93fa967b", "hex")])),
  ).toEqual({
    text: `${meta("Shift_JIS")}日本`,
    encoding: "shift_jis",
  });
  expect(decodeBookmarkFile(Buffer.from(`${meta("ISO-8859-1")}caf\xe9`, "latin1"))).toEqual({
    text: `${meta("ISO-8859-1")}café`,
    encoding: "windows-1252",
  });
});

test("without either, and with a declaration that nobody knows or that cannot be, it is UTF-8", () => {
  for (const text of ["é", `${meta("x-klingon")}é`, `${meta("utf-16")}é`])
    expect(decodeBookmarkFile(Buffer.from(text))).toEqual({ text, encoding: "utf-8" });
});

test("what is not in the encoding that it says is windows-1252", () => {
  for (const text of ["caf\xe9", `${meta("UTF-8")}caf\xe9`])
    expect(decodeBookmarkFile(Buffer.from(text, "latin1"))).toEqual({ text, encoding: "windows-1252" });
});

test("any bytes can be decoded, in time that is linear in their number", () => {
  const start = performance.now();
  for (const byte of ["<meta ", "<meta charset", "\xff", " "])
    decodeBookmarkFile(Buffer.from(byte.repeat(300_000), "latin1"));
  expect(performance.now() - start).toBeLessThan(1_000);
});

function bytes(mark: string, text: string): Uint8Array {
  return Buffer.concat([Buffer.from(mark, "hex"), Buffer.from(text)]);
}
