import type { Label } from "../../../src/decoding/encodings.ts";

const tables = new Map<Label, ReadonlyMap<string, readonly number[]>>();

/** Encodes a text in an encoding of one or two bytes a character, which `TextEncoder` does not write. */
export function encoded(text: string, label: Label): Buffer {
  if (label === "utf-16le") return Buffer.from(text, "utf16le");
  if (label === "utf-16be") return Buffer.from(text, "utf16le").swap16();
  const table = tables.get(label) ?? tableOf(label);
  tables.set(label, table);
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character);
      if (bytes === undefined) throw new Error(`${label} has no ${character}`);
      return bytes;
    }),
  );
}

function tableOf(label: Label): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true });
  const table = new Map<string, readonly number[]>();
  const add = (bytes: readonly number[]) => {
    try {
      const text = decoder.decode(new Uint8Array(bytes));
      if ([...text].length === 1 && !table.has(text)) table.set(text, bytes);
    } catch {
      // These bytes are no character.
    }
  };
  for (let first = 0; first < 256; first++) add([first]);
  for (let first = 0x80; first < 256; first++)
    for (let second = 0x40; second < 256; second++) add([first, second]);
  return table;
}
