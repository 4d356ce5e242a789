import { z } from "zod";
import { Timestamp } from "../text.ts";
import { MARK_NOTE_MAX, type Mark, QUOTE_MAX } from "./mark.ts";

/** The tag of the operations on marks. */
export const MARKS_TAG = {
  name: "Marks",
  description: "What was marked in the pages of bookmarks, with notes.",
};

/** A mark as it is returned. */
export const MarkResponse = z
  .object({
    id: z.int().min(1),
    quote: z.string().describe(`The marked words, at most ${QUOTE_MAX} characters.`),
    prefix: z.string().describe("The words before, by which the quote is found again in another copy."),
    suffix: z.string().describe("The words after it."),
    position: z
      .int()
      .min(0)
      .nullable()
      .describe("Where it began in the text of the copy, in UTF-16 code units; null if that is not known."),
    note: z.string().describe(`At most ${MARK_NOTE_MAX} characters; empty without one.`),
    created_at: Timestamp,
  })
  .meta({ id: "Mark" });

export const MARK_EXAMPLE = {
  ...{ id: 5, quote: "A fast all-in-one toolkit", prefix: "Bun is ", suffix: " for JavaScript", position: 7 },
  ...{ note: "Try it with the small service.", created_at: "2026-11-21T06:40:12.345Z" },
};

export function toResponse(mark: Mark): z.output<typeof MarkResponse> {
  const { id, quote, prefix, suffix, position, note, createdAt } = mark;
  return { id, quote, prefix, suffix, position, note, created_at: createdAt.toISOString() };
}
