import { invalid } from "../errors.ts";
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
 * Anyone can make a cursor up, since the epoch stands in every entity tag.
 * @throws Refusal `invalid` for what is no cursor, or one of another epoch
 */
export function readCursor(epoch: string, cursor: string): ListPosition {
  const [, of, time, id] =
    /^(\w+)\.(-?\d{1,15})\.(\d{1,16})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (of === epoch && Number(time) >= EARLIEST && Number(time) <= LATEST)
    return { createdAt: new Date(Number(time)), id: Number(id) };
  throw invalid([
    {
      parameter: "cursor",
      code: "bad_cursor",
      detail: "This cursor is not, or no longer, valid. Start again without.",
    },
  ]);
}
