import { TITLE_MAX } from "../../bookmarks/bookmark.ts";
import { parseWebUrl } from "../../bookmarks/web-url.ts";
import { countCodePoints } from "../../text.ts";
import type { FileRow } from "./file-row.ts";
import { readDate } from "./import-date.ts";
import { rowNotes, shortenedTitleNote } from "./import-notes.ts";
import {
  DESCRIPTION_MAX,
  describeBookmark,
  type Refused,
  type SourceRow,
  type StagedRow,
} from "./staged-row.ts";

/** Checks a row of a file. @param tags the names of its tags and folder, as tags here */
export function stageRow(fileRow: FileRow, tags: readonly string[], now: Date): StagedRow {
  const row = sourceOf(fileRow);
  const url = row.url.trim() === "" ? { error: NO_ADDRESS } : parseWebUrl(row.url);
  if ("error" in url) return { row, refusal: url.error };
  const wholeTitle = fileRow.isExact ? row.title : oneLine(row.title);
  const title = shortTitle(wholeTitle);
  const text = title === wholeTitle ? fileRow.description : `${wholeTitle}\n${fileRow.description}`.trimEnd();
  const date = readDate(row.date, now, fileRow.dateRule);
  const [createdAt, dateNote] = typeof date === "string" ? [now, date] : [date, null];
  const updated = readDate(fileRow.updated, now, "exact");
  const bookmark = describeBookmark({
    ...{ url: url.href, title, text, tags, states: fileRow.states, createdAt },
    ...(updated instanceof Date && { updatedAt: updated }),
  });
  const refusal = tooLong(text);
  if (refusal !== undefined) return { row, refusal };
  const notes = rowNotes(fileRow, dateNote);
  if (title !== wholeTitle) notes.push(shortenedTitleNote(row.line, TITLE_MAX));
  const withTags = tooLong(bookmark.description);
  return { row, bookmark, notes, ...(withTags && { withTags }) };
}

function tooLong(description: string): Refused | undefined {
  const bytes = Buffer.byteLength(description);
  if (bytes <= DESCRIPTION_MAX) return undefined;
  const detail = `The description may have at most ${DESCRIPTION_MAX} bytes; this has ${bytes}.`;
  return { code: "too_long", detail };
}

function sourceOf({ position, line, url, title, tags, date, folder }: FileRow): SourceRow {
  return { position, line, url, title, tags, date, folders: folder.path };
}

const NO_ADDRESS = { code: "missing", detail: "No address." } as const;

/** A title is one line: line breaks in it come from the file's layout. */
function oneLine(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** A title as it can be stored; of a longer one the beginning, and an ellipsis. */
function shortTitle(title: string): string {
  if (countCodePoints(title) <= TITLE_MAX) return title;
  const start = Array.from(title).slice(0, TITLE_MAX - 1);
  return `${start.join("").trimEnd()}…`;
}

const UNENDED_HTML =
  "An HTML tag or comment that starts here is not closed, so the rest of the file was not read.";

/** The part of a file that cannot be read, as a row of its own, so that it counts as refused. */
export function cutOff(position: number, line: number, detail = UNENDED_HTML): StagedRow {
  const row: SourceRow = { position, line, url: "", title: "", tags: null, date: null, folders: [] };
  return { row, refusal: { code: "cut_off", detail } };
}
