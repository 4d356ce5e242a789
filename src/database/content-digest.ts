import { crc32 } from "node:zlib";

/**
 * The digest that a row keeps of its texts or bytes, so that `commonplace check` and each backup notice a bit that changed on
 * the disk: CRC-32, which finds each one. A write of one of them writes it, too.
 */
export function contentDigest(...parts: readonly (string | Uint8Array)[]): number {
  return parts.reduce((digest: number, part) => crc32(part, digest), 0);
}
