import { z } from "zod";
import { readSearchCursor, type SortedPosition } from "../search/search-cursor.ts";
import { asIssue } from "../text.ts";
import type { ListPosition } from "./bookmark-store.ts";

/**
 * An opaque list position. It contains the database's epoch: after a restore, older cursors are refused instead of
 * pointing to a wrong position.
 */
export function writeCursor(epoch: string, { createdAt, id }: ListPosition): string {
  return Buffer.from(`${epoch}.${createdAt.getTime()}.${id}`).toString("base64url");
}

/** The years 1 to 9999, in milliseconds: the range of both engines. */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A cursor in the query, of the list or of a search; its value is the position. An invalid cursor, or one of another
 * epoch, is an error.
 */
export function listCursor(epoch: string) {
  return z.string().transform((word, context): ListPosition | SortedPosition => {
    const position = readCursor(epoch, word) ?? readSearchCursor(epoch, word);
    if (position !== undefined) return position;
    const detail = "The cursor is invalid or expired. Start again without one.";
    context.issues.push(asIssue({ code: "bad_cursor", detail }, word));
    return z.NEVER;
  });
}

/**
 * The position in a cursor; undefined for text that {@link writeCursor} has not written, or of another epoch. Anyone
 * can forge a cursor, since the epoch is in every entity tag.
 */
export function readCursor(epoch: string, cursor: string): ListPosition | undefined {
  const [, time, id] =
    /^\w+\.(-?\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!(Number(time) >= EARLIEST && Number(time) <= LATEST)) return undefined;
  const position = { createdAt: new Date(Number(time)), id: Number(id) };
  // The decoder skips characters outside base64, and a number has several spellings.
  return writeCursor(epoch, position) === cursor ? position : undefined;
}
