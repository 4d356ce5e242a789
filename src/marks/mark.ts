import { z } from "zod";
import { asIssue, text } from "../text.ts";

/** The characters on each side of a quote by which it is found again. */
export const CONTEXT_MAX = 32;
/** The characters of a quote, and of a note. */
export const QUOTE_MAX = 5_000;
export const MARK_NOTE_MAX = 10_000;

/**
 * Marked words, as the TextQuoteSelector of the W3C's Web Annotation Data Model has them: the words, and what stands on both
 * sides of them.
 */
export interface Quote {
  /** At most {@link QUOTE_MAX} characters, without white space at its ends. */
  readonly quote: string;
  /** At most {@link CONTEXT_MAX} characters. */
  readonly prefix: string;
  readonly suffix: string;
  /** Where the quote began, in units of UTF-16 of the text; null when that is not known. */
  readonly position: number | null;
}

/** What a reader has marked in the page of a bookmark. */
export interface Mark extends Quote {
  readonly id: number;
  readonly bookmarkId: number;
  /** Empty without one. */
  readonly note: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: number | null;
}

/** The members of a mark that clients and archives give, and their rules. */
export const MARK_MEMBERS = {
  quote: text({ min: 1, max: QUOTE_MAX })
    .check(({ value, issues }) => {
      if (value !== "" && value.trim() === "")
        issues.push(asIssue({ code: "too_short", detail: "May not be blank." }, value));
    })
    .meta({ description: "The marked words.", pattern: "\\S" }),
  prefix: text({ max: CONTEXT_MAX }).describe("What stands before them."),
  suffix: text({ max: CONTEXT_MAX }).describe("What stands after them."),
  position: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .nullable()
    .describe("Where they begin in the text, in units of UTF-16; `null` if that is not known."),
  note: text({ max: MARK_NOTE_MAX }),
};
