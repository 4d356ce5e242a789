import { inBatches } from "../../batches.ts";
import {
  type BookmarkFields,
  type BookmarkWriter,
  INSERT_MAX,
  writeBookmarks,
} from "../../bookmarks/bookmark-writer.ts";
import { CopyStore } from "../../copies/copy-store.ts";
import type { Database, Sql } from "../../database/database.ts";
import { rowList } from "../../database/fragment.ts";
import { limits } from "../../limits.ts";
import { CopyText } from "../../marks/find-mark.ts";
import { marksChanged } from "../../marks/mark-changes.ts";
import { addMark, marksOf, newMark } from "../../marks/mark-store.ts";
import { DESCRIPTION_MAX } from "../../readers/bookmarks/check-row.ts";
import { readDate } from "../../readers/bookmarks/dates.ts";
import { splitDescription } from "../../tags/description-tags.ts";
import type { MarkRefusal, MarksReport } from "./import-report.ts";
import { type BroughtRecord, recordBrought } from "./import-store.ts";
import type { KeepingOptions } from "./keep-texts.ts";
import type { StagedBookmarks } from "./staged-file.ts";
import { type StagedMark, startOf } from "./staged-marks.ts";
import { lastPosition } from "./undo-import.ts";

/** The marks of a transaction. */
const PIECE = 500;

/**
 * What marks become. `either`: marks of links that have a copy, quotations in the notes of others. `marks`: marks alone, where
 * others may read notes. `notes`: quotations alone, of somebody who may not read copies, and learns of no copy or mark.
 */
export const MARK_PLACES = ["either", "marks", "notes"] as const;
export type MarkPlace = (typeof MARK_PLACES)[number];

interface MarkingOptions extends Omit<KeepingOptions, "onText"> {
  readonly place: MarkPlace;
}

/**
 * Brings the marks of a file in, after its texts: as marks of links, or as quotations in their notes. Each is
 * recorded in its transaction after the texts, so another call continues where an interrupted one ended.
 *
 * @returns whether all are done
 * @throws the signal's reason
 */
export async function keepMarks(
  database: Database,
  staged: StagedBookmarks,
  { importId, accountId, most = Number.POSITIVE_INFINITY, signal, place }: MarkingOptions,
): Promise<boolean> {
  const { records, texts, rows, marks, now } = staged;
  const before = records.total + texts.last;
  let last = Math.max(0, (await lastPosition(database.read, importId)) - before);
  for (let done = 0; done < most; done += PIECE) {
    const piece = marks.after(last, PIECE);
    if (piece.length === 0) return true;
    signal?.throwIfAborted();
    await writeBookmarks(database, now, async (writer, sql) => {
      const links = await linksOf(sql, staged, importId, new Set(piece.map(({ position }) => position)));
      const byLink = Map.groupBy(piece, ({ position }) => links.get(position) ?? 0);
      const brought: BroughtRecord[] = [];
      const marked: number[] = [];
      // In one order, so that no two transactions wait for each other.
      for (const [link, few] of [...byLink].toSorted(([one], [other]) => one - other)) {
        const found = await bring({ sql, writer, importId, accountId, place, now }, link, few);
        if (found.some(({ outcome }) => outcome === "added")) marked.push(link);
        for (const [index, { number, position, quote, note }] of few.entries()) {
          const { line = 0 } = rows.at(position)?.row ?? {};
          const at = { position: before + number, row: { line, title: startOf(quote || note, 200) } };
          brought.push({ kind: "mark", ...(found[index] ?? NO_LINK), ...at });
        }
      }
      for (const few of inBatches(brought, INSERT_MAX)) await recordBrought(sql, importId, few);
      if (marked.length > 0) await marksChanged(sql, marked);
    });
    last = piece.at(-1)?.number ?? last;
  }
  return false;
}

/** The bookmarks of rows, by their positions: those that the import has added or found, or the only one with the title. */
async function linksOf(
  sql: Sql,
  { rows }: StagedBookmarks,
  importId: number,
  positions: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  const recorded = await sql<{ position: number; record_id: number }>`
    select position, record_id from import_rows
    where import_id = ${importId} and position in ${[...positions]} and record_id is not null`;
  const links = new Map(recorded.map((row) => [Number(row.position), Number(row.record_id)]));
  const titles = [...positions].flatMap((position) => {
    const row = rows.at(position);
    return row !== undefined && "isTitleAlone" in row && row.row.title !== "" ? [row.row] : [];
  });
  if (titles.length === 0) return links;
  const titled = await sql<{ title: string; id: number }>`
    with wanted (title) as (values ${rowList(titles.map(({ title }) => [title]))})
    select title, min(id) as id from bookmarks where title in (select title from wanted)
    group by title having count(*) = 1`;
  const byTitle = new Map(titled.map(({ title, id }) => [title, Number(id)]));
  for (const { position, title } of titles) links.set(position, byTitle.get(title) ?? 0);
  return links;
}

interface Bringing extends Pick<MarkingOptions, "importId" | "accountId" | "place"> {
  readonly sql: Sql;
  readonly writer: BookmarkWriter;
  readonly now: Date;
}

/** What became of a mark. */
type Brought = Omit<BroughtRecord, "position" | "row" | "kind"> & Partial<Pick<BroughtRecord, "kind">>;

const THERE: Brought = { outcome: "skipped", reason: "there_already" };
const IN_NOTE: Brought = { outcome: "skipped", reason: "in_note" };
const TOO_LONG = refused("too_long", "The note of the link would be too long.");
const PUBLIC_NOTE = refused("public_note", "It has no words, and others may read the note of its link.");
const NO_LINK = refused("no_link", "Not exactly one link has its address, or without one its title.");

function refused(reason: MarkRefusal, detail: string): Brought {
  return { outcome: "refused", reason, detail };
}

/** Reads texts, which are in the database. */
const STORE = new CopyStore(undefined);

/** Brings marks to a link. @returns what became of each, in their order; nothing if the link is not there */
async function bring(bringing: Bringing, link: number, marks: readonly StagedMark[]): Promise<Brought[]> {
  const { sql, accountId, place, now } = bringing;
  // A change of nothing: it stays until the end of the transaction.
  const [bookmark] = await sql<BookmarkFields & { version: number }>`
    update bookmarks set version = version where id = ${link} returning title, url, description, version`;
  if (bookmark === undefined) return [];
  const kept = place === "notes" ? [] : await marksOf(sql, [link]);
  const lines = bookmark.description.split("\n").map((line) => line.replace(/^> /, ""));
  const there = new Set([...kept.map(({ quote }) => quote), ...lines].map(bare));
  const copy = place === "notes" ? undefined : await STORE.read(sql, link);
  const text = copy && new CopyText(await STORE.html(sql, copy.id));
  const max = limits().marksPerBookmark;
  let room = max - kept.length;
  let bytes = Buffer.byteLength(bookmark.description);
  const quotations: string[] = [];
  const found: Brought[] = [];
  for (const { quote, note, date } of marks) {
    const key = bare(quote || (note.split("\n", 1)[0] ?? ""));
    const quotation = [quote && `> ${quote.replaceAll(/\s+/g, " ")}`, note].filter(Boolean).join("\n");
    const size = Buffer.byteLength(quotation) + 2;
    if (there.has(key)) found.push(THERE);
    else if (place !== "marks" && (text === undefined || quote === "")) {
      const fits = bytes + size <= DESCRIPTION_MAX;
      found.push(fits ? IN_NOTE : TOO_LONG);
      if (!fits) continue;
      quotations.push(quotation);
      bytes += size;
    } else if (quote === "") found.push(PUBLIC_NOTE);
    else if (room-- <= 0)
      found.push(refused("too_many", `The link has ${max} marks, which is as many as it takes.`));
    else {
      const made = readDate(date, now);
      const bareQuote = { quote, prefix: "", suffix: "", position: null };
      const at = text?.find(bareQuote);
      const inText = at && text?.cut(at.start, at.end);
      const about = { bookmarkId: link, note, accountId };
      const mark = newMark({ ...bareQuote, ...inText, quote }, about, made instanceof Date ? made : now);
      const reason = text === undefined ? "without_copy" : null;
      found.push({ outcome: "added", reason, id: (await addMark(sql, mark)).id, version: mark.version });
    }
    if (found.at(-1)?.outcome !== "refused") there.add(key);
  }
  if (quotations.length > 0) await addToNote(bringing, { id: link, ...bookmark }, quotations, found);
  return found;
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/**
 * Adds quotations to the note of a link, before its tag line. One that the import has not changed before is recorded as it was, for the
 * undo.
 */
async function addToNote(
  { sql, writer, importId }: Bringing,
  { id, version: former, ...before }: BookmarkFields & { readonly id: number; readonly version: number },
  quotations: readonly string[],
  found: Brought[],
): Promise<void> {
  const { text, line } = splitDescription(before.description);
  const note = [text.trim(), ...quotations].filter(Boolean).join("\n\n");
  const description = line === "" ? note : `${note}\n${line}`;
  const version = await writer.update(
    { id, version: Number(former), url: before.url },
    { ...before, description },
  );
  if (version === undefined) throw new Error("a bookmark that is held has changed");
  const changed = await sql`
    update import_rows set record_version = ${version}
    where import_id = ${importId} and kind = ${"bookmark"} and record_id = ${id} and outcome in ('added', 'updated')
    returning position`;
  if (changed.length > 0) return;
  found[found.indexOf(IN_NOTE)] = { ...IN_NOTE, kind: "bookmark", outcome: "updated", id, version, before };
}

/** What became of the marks of an import. @param found how many the file has */
export async function marksReport(sql: Sql, importId: number, found: number): Promise<MarksReport> {
  const rows = await sql<{ reason: string | null; n: number }>`
    select reason, count(*) as n from import_rows
    where import_id = ${importId} and (kind = ${"mark"} or reason = ${"in_note"}) group by reason`;
  const counts: Partial<Record<string, number>> = Object.fromEntries(
    rows.map(({ reason, n }) => [reason ?? "kept", Number(n)]),
  );
  const { kept = 0, without_copy = 0, in_note = 0, there_already = 0, ...reasons } = counts;
  const refused = Object.values(reasons).reduce<number>((sum, n = 0) => sum + n, 0);
  return { found, kept, without_copy, in_notes: in_note, there_already, refused, reasons };
}
