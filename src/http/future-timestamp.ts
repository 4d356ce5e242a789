import { z } from "zod";
import type { Database } from "../database/database.ts";
import { asIssue } from "../text.ts";

/** The last instant that RFC 3339 can write. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A datetime of a request at which something ends: RFC 3339 with a time zone, not in the past. */
export function futureTimestamp({ clock }: Pick<Database, "clock">) {
  return z.iso.datetime({ offset: true }).check((context) => {
    const time = Date.parse(context.value);
    const detail =
      time <= clock.now().getTime()
        ? "Not in the past."
        : time > LATEST
          ? "At most the year 9999."
          : undefined;
    if (detail !== undefined) context.issues.push(asIssue({ code: "out_of_range", detail }, context.value));
  });
}
