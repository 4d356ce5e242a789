import type { WriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Refusal, StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { reasonOf } from "./file-errors.ts";

/** Writes pieces to a file, with back-pressure. @throws StartError that names the file */
export async function writePieces(
  pieces: AsyncIterable<string | Uint8Array>,
  to: WriteStream,
  path: string,
): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), to);
  } catch (error) {
    if (error instanceof Refusal || error instanceof StartError) throw error;
    throw new StartError(`${printable(path)} ${reasonOf(error, "written")}.`, 1, error);
  }
}
