import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { messageOf, Refusal, StartError } from "../../errors.ts";
import { piecesOf, TemporaryFile } from "./file-bytes.ts";
import {
  FILES_MAX,
  type FileTree,
  isSystemFile,
  type RandomBytes,
  refuseBomb,
  refuseOutside,
} from "./file-tree.ts";

/** The position of a file's bytes in the temporary file. */
interface Span {
  readonly start: number;
  readonly size: number;
}

/** The number of bytes of a file's header. */
const HEADER = 512;
/** The number of compressed bytes that are enough for a header. */
const COMPRESSED_HEADER = 4 * 1024;

/** Whether a file is a tar archive; compressed with gzip, also when it is too damaged to tell. */
export function isTar(bytes: RandomBytes): boolean {
  const beginning = Buffer.alloc(Math.min(COMPRESSED_HEADER, bytes.size));
  bytes.readAt(beginning, 0);
  if (beginning[0] !== 0x1f || beginning[1] !== 0x8b) return isHeader(beginning);
  try {
    const header = gunzipSync(beginning, { finishFlush: constants.Z_SYNC_FLUSH });
    if (header.length >= HEADER) return isHeader(header);
    // It is too short for a header. Without its end it is damaged, and this throws.
    gunzipSync(beginning);
    return false;
  } catch {
    return true;
  }
}

/** Whether a header of a file has the right checksum: the sum of its bytes, with spaces in the place of the sum. */
function isHeader(bytes: Buffer): boolean {
  if (bytes.length < HEADER) return false;
  const sum = Number.parseInt(bytes.toString("latin1", 148, 156), 8);
  const others = [...bytes.subarray(0, 148), ...bytes.subarray(156, HEADER)];
  return others.reduce((total, byte) => total + byte, 8 * 0x20) === sum;
}

/**
 * Opens a tar archive, compressed with gzip or not. It can only be read sequentially, so the files are copied to
 * one unnamed temporary file. Links are left out.
 * @throws StartError when it is damaged or hostile
 */
export async function openTar(
  bytes: RandomBytes,
  isCompressed: boolean,
  unpackedMax?: number,
): Promise<FileTree> {
  const spool = await TemporaryFile.open();
  try {
    const { spans, leftOut } = await unpack(bytes, isCompressed, spool, unpackedMax);
    return {
      sizes: new Map([...spans].map(([path, { size }]) => [path, size])),
      leftOut,
      stream: async (path) => read(spool, spans.get(path)),
      [Symbol.asyncDispose]: async () => spool[Symbol.dispose](),
    };
  } catch (error) {
    spool[Symbol.dispose]();
    if (error instanceof StartError || error instanceof Refusal) throw error;
    const isCut = /unexpected end/i.test(messageOf(error));
    const how = isCut ? ": its end is missing, as after an interrupted download" : "";
    throw new StartError(`The archive is damaged${how}. Get it again.`, 2, error);
  }
}

async function unpack(
  bytes: RandomBytes,
  isCompressed: boolean,
  spool: TemporaryFile,
  unpackedMax: number | undefined,
) {
  const spans = new Map<string, Span>();
  const leftOut: string[] = [];
  const tar = extract();
  const source = Readable.from(piecesOf(bytes));
  // All unpacked bytes count, including those after the last file.
  const counted = async function* (unpacked: AsyncIterable<Uint8Array>) {
    let size = 0;
    for await (const piece of unpacked) {
      size += piece.length;
      refuseBomb(size, bytes.size, unpackedMax);
      yield piece;
    }
  };
  const unpacking = isCompressed ? pipeline(source, createGunzip(), counted, tar) : pipeline(source, tar);
  const spooling = (async () => {
    for await (const entry of tar) {
      const path = entry.header.name.replace(/^(?:\.\/)+/, "");
      refuseOutside(path);
      const start = spool.size;
      for await (const piece of entry as AsyncIterable<Uint8Array>) spool.append(piece);
      if (isSystemFile(path)) continue;
      if (entry.header.type === "file" && path !== "") spans.set(path, { start, size: spool.size - start });
      else if (entry.header.type !== "directory") leftOut.push(path);
      if (spans.size > FILES_MAX) throw new StartError(`The archive has more than ${FILES_MAX} files.`, 2);
    }
  })();
  const [unpacked, spooled] = await Promise.allSettled([unpacking, spooling]);
  if (spooled.status === "rejected" && spooled.reason instanceof Error && !isOfStream(spooled.reason))
    throw spooled.reason;
  if (unpacked.status === "rejected") throw unpacked.reason;
  if (spooled.status === "rejected") throw spooled.reason;
  return { spans, leftOut };
}

/** An error that only reports the failure of the other end of the stream. */
function isOfStream(error: Error): boolean {
  return !(error instanceof StartError || error instanceof Refusal);
}

async function* read(spool: TemporaryFile, span: Span | undefined): AsyncGenerator<Uint8Array> {
  if (span === undefined) throw new StartError("The archive has no such file.", 2);
  yield* piecesOf(spool, span.start, span.start + span.size);
}
