import { crc32, deflateRawSync } from "node:zlib";

/** Makes a zip archive of files, in the given order (APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fileName = Buffer.from(name);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(0x800, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(bytes.length, 18);
    about.writeUInt16LE(fileName.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), about, fileName, packed);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), about, more, fileName);
    offset += 4 + about.length + fileName.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(files).length, 4);
  end.writeUInt16LE(Object.keys(files).length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from("PK\x05\x06"), end]);
}
