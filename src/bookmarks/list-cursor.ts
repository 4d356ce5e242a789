import { z } from "zod";
import { readSearchCursor, type SortedPosition } from "../search/search-cursor.ts";
import { asIssue } from "../text.ts";
import type { ListPosition } from "./bookmark-store.ts";

/**
 * An opaque word for a place in the list. It carries the database's epoch: after a restore, a cursor from
 * before is refused instead of pointing at the wrong place.
 */
export function writeCursor(epoch: string, { createdAt, id }: ListPosition): string {
  return Buffer.from(`${epoch}.${createdAt.getTime()}.${id}`).toString("base64url");
}

/** The years 1 to 9999, in milliseconds: what every engine knows. */
const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A cursor in the query, of the list or of a search; its value is the place. What is no cursor, or one of another
 * epoch, is an error.
 */
export function listCursor(epoch: string) {
  return z.string().transform((word, context): ListPosition | SortedPosition => {
    const place = readCursor(epoch, word) ?? readSearchCursor(epoch, word);
    if (place !== undefined) return place;
    const detail = "The cursor is invalid or expired. Start again without one.";
    context.issues.push(asIssue({ code: "bad_cursor", detail }, word));
    return z.NEVER;
  });
}

/**
 * The place that a cursor says; undefined for what {@link writeCursor} has not written, or in another epoch. Anyone
 * can make a cursor up, since the epoch stands in every entity tag.
 */
export function readCursor(epoch: string, cursor: string): ListPosition | undefined {
  const [, time, id] =
    /^\w+\.(-?\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (!(Number(time) >= EARLIEST && Number(time) <= LATEST)) return undefined;
  const place = { createdAt: new Date(Number(time)), id: Number(id) };
  // The decoder passes over what is not base64, and there are several ways to write a number.
  return writeCursor(epoch, place) === cursor ? place : undefined;
}
