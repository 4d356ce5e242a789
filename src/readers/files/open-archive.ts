import type { FileTree, RandomBytes } from "./file-tree.ts";
import { isTar, openTar } from "./tar-files.ts";
import { openZip } from "./zip-files.ts";

/**
 * The files of a zip archive, or of a tar archive, which may be compressed with gzip; undefined for another file. The caller
 * disposes of the result.
 * @throws StartError when it is damaged, encrypted or hostile
 */
export async function openArchive(bytes: RandomBytes, unpackedMax?: number): Promise<FileTree | undefined> {
  const beginning = Buffer.alloc(Math.min(4, bytes.size));
  bytes.readAt(beginning, 0);
  const magic = beginning.toString("latin1");
  // The second is that of an archive without files.
  if (magic === "PK\u0003\u0004" || magic === "PK\u0005\u0006") return openZip(bytes, unpackedMax);
  if (!isTar(bytes)) return undefined;
  return openTar(bytes, magic.startsWith("\u001f\u008b"), unpackedMax);
}
