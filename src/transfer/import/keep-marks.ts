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
import type { StagedMark } from "./staged-marks.ts";
import { lastPosition } from "./undo-import.ts";

/** The marks of a transaction. */
const PIECE = 500;

type MarkOptions = Pick<KeepingOptions, "importId" | "accountId">;

/**
 * Brings the marks of a file in, after its texts: as marks to links that have a copy, to others as quotations in their notes. Each is
 * recorded in its transaction after the texts, so another call continues where an interrupted one ended.
 *
 * @returns whether all are done
 * @throws the signal's reason
 */
export async function keepMarks(
  database: Database,
  staged: StagedBookmarks,
  { most = Number.POSITIVE_INFINITY, signal, ...options }: Omit<KeepingOptions, "onText">,
): Promise<boolean> {
  const { records, texts, rows, marks } = staged;
  const before = records.total + texts.last;
  let last = Math.max(0, (await lastPosition(database.read, options.importId)) - before);
  for (let done = 0; done < most; done += PIECE) {
    const piece = marks.after(last, PIECE);
    if (piece.length === 0) return true;
    signal?.throwIfAborted();
    await writeBookmarks(database, staged.now, async (writer, sql) => {
      const brought = await bringPiece({ ...options, sql, writer, now: staged.now }, staged, piece);
      const recordOf = (mark: StagedMark): BroughtRecord => {
        const { line = 0, title = "" } = rows.at(mark.position)?.row ?? {};
        const position = before + mark.number;
        return { ...NO_LINK, ...brought.get(mark), position, row: { line, title } };
      };
      for (const few of inBatches(piece, INSERT_MAX))
        await recordBrought(sql, options.importId, few.map(recordOf));
    });
    last = piece.at(-1)?.number ?? last;
  }
  return false;
}

interface Bringing extends MarkOptions {
  readonly sql: Sql;
  readonly writer: BookmarkWriter;
  readonly now: Date;
}

/** What became of a mark. */
type Brought = Omit<BroughtRecord, "position" | "row">;

const RECORD = { kind: "mark", reason: null, detail: null, id: null, version: null, before: null } as const;
const THERE: Brought = { ...RECORD, outcome: "skipped", reason: "there_already" };
const IN_NOTE: Brought = { ...RECORD, outcome: "skipped", reason: "in_note" };
const NO_LINK = refused("no_link", "Not exactly one link has its address, or without one its title.");

function refused(reason: MarkRefusal, detail: string): Brought {
  return { ...RECORD, outcome: "refused", reason, detail };
}

async function bringPiece(
  bringing: Bringing,
  staged: StagedBookmarks,
  piece: readonly StagedMark[],
): Promise<Map<StagedMark, Brought>> {
  const { sql, importId } = bringing;
  const links = await linksOf(sql, staged, importId, [...new Set(piece.map(({ position }) => position))]);
  const brought = new Map<StagedMark, Brought>();
  const marked = new Set<number>();
  // In one order, so that no two transactions wait for each other.
  for (const [link, marks] of [...Map.groupBy(piece, ({ position }) => links.get(position) ?? 0)].toSorted(
    ([one], [other]) => one - other,
  )) {
    const found = await bring(bringing, link, marks);
    for (const [index, mark] of marks.entries()) brought.set(mark, found[index] ?? NO_LINK);
    if (found.some(({ outcome }) => outcome === "added")) marked.add(link);
  }
  if (marked.size > 0) await marksChanged(sql, [...marked]);
  return brought;
}

/** The bookmarks of rows, by their positions: those that the import has added or found, or the only one with the title. */
async function linksOf(
  sql: Sql,
  { rows }: StagedBookmarks,
  importId: number,
  positions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const recorded = await sql<{ position: number; record_id: number | null }>`
    select position, record_id from import_rows
    where import_id = ${importId} and position in ${positions} and record_id is not null`;
  const links = new Map(recorded.map((row) => [Number(row.position), Number(row.record_id)]));
  const untitled = positions.flatMap((position) => {
    const row = rows.at(position);
    return row !== undefined && "isTitleAlone" in row && row.row.title !== "" ? [row.row] : [];
  });
  if (untitled.length === 0) return links;
  const titled = await sql<{ title: string; id: number }>`
    with wanted (title) as (values ${rowList(untitled.map(({ title }) => [title]))})
    select title, min(id) as id from bookmarks where title in (select title from wanted)
    group by title having count(*) = 1`;
  const byTitle = new Map(titled.map(({ title, id }) => [title, Number(id)]));
  for (const { position, title } of untitled) links.set(position, byTitle.get(title) ?? 0);
  return links;
}

/** Brings marks to a link. @returns what became of each, in their order; nothing if the link is not there */
async function bring(bringing: Bringing, link: number, marks: readonly StagedMark[]): Promise<Brought[]> {
  const { sql, accountId, now } = bringing;
  // A change of nothing: it stays until the end of the transaction.
  const [bookmark] = await sql<BookmarkFields & { version: number }>`
    update bookmarks set version = version where id = ${link} returning title, url, description, version`;
  if (bookmark === undefined) return [];
  const kept = await marksOf(sql, [link]);
  const there = new Set([
    ...kept.map(({ quote }) => bare(quote)),
    ...bookmark.description.split("\n").map((line) => bare(line.replace(/^> /, ""))),
  ]);
  const copy = await STORE.read(sql, link);
  const text = copy && new CopyText(await STORE.html(sql, copy.id));
  const quotations: string[] = [];
  let room = limits().marksPerBookmark - kept.length;
  let bytes = Buffer.byteLength(bookmark.description);
  const found: Brought[] = [];
  for (const { quote, prefix, suffix, note, date } of marks) {
    const key = bare(quote || (note.split("\n", 1)[0] ?? ""));
    if (there.has(key)) found.push(THERE);
    else if (text && quote !== "" && room <= 0)
      found.push(
        refused("too_many", `The link has ${limits().marksPerBookmark} marks, which is as many as it takes.`),
      );
    else if (text && quote !== "") {
      const made = readDate(date, now);
      const about = { bookmarkId: link, note, accountId };
      const given = { quote, prefix, suffix, position: null };
      const place = text.find(given);
      const beside = place && text.cut(place.start, place.end);
      const mark = newMark({ ...given, ...beside, quote }, about, made instanceof Date ? made : now);
      found.push({ ...RECORD, outcome: "added", id: (await addMark(sql, mark)).id, version: mark.version });
      room--;
    } else {
      const quotation = [quote && `> ${quote.replaceAll(/\s+/g, " ")}`, note].filter(Boolean).join("\n");
      const size = Buffer.byteLength(quotation) + 2;
      if (bytes + size > DESCRIPTION_MAX)
        found.push(refused("too_long", "The note of the link would be too long."));
      else {
        quotations.push(quotation);
        found.push(IN_NOTE);
        bytes += size;
      }
    }
    there.add(key);
  }
  return quotations.length === 0 ? found : addToNote(bringing, { id: link, ...bookmark }, quotations, found);
}

/** Reads texts, which are in the database. */
const STORE = new CopyStore(undefined);

function bare(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

/** Adds quotations to the note of a link, before its tag line. If the import has not changed the link before, its undo must know how the note was. */
async function addToNote(
  { sql, writer, importId }: Bringing,
  { id, title, url, description, version: before }: BookmarkFields & { id: number; version: number },
  quotations: readonly string[],
  found: Brought[],
): Promise<Brought[]> {
  const { text, line } = splitDescription(description);
  const note = [text.trim(), ...quotations].filter(Boolean).join("\n\n");
  const fields = { title, url, description: line === "" ? note : `${note}\n${line}` };
  const version = await writer.update({ id, version: Number(before) }, fields);
  if (version === undefined) throw new Error("a bookmark that is held has changed");
  const changed = await sql`
    update import_rows set record_version = ${version}
    where import_id = ${importId} and kind = ${"bookmark"} and record_id = ${id} and outcome in ('added', 'updated')
    returning position`;
  const first = found.indexOf(IN_NOTE);
  if (changed.length === 0)
    found[first] = {
      ...IN_NOTE,
      kind: "bookmark",
      outcome: "updated",
      id,
      version,
      before: { title, url, description },
    };
  return found;
}

/** What became of the marks of an import. @param found how many the file has */
export async function marksReport(sql: Sql, importId: number, found: number): Promise<MarksReport> {
  const rows = await sql<{ outcome: string; reason: string | null; n: number }>`
    select outcome, reason, count(*) as n from import_rows
    where import_id = ${importId} and (kind = ${"mark"} or reason = ${"in_note"}) group by outcome, reason`;
  const count = (has: (row: { outcome: string; reason: string | null }) => boolean) =>
    rows.filter(has).reduce((sum, { n }) => sum + Number(n), 0);
  return {
    found,
    kept: count(({ outcome }) => outcome === "added"),
    in_notes: count(({ reason }) => reason === "in_note"),
    there_already: count(({ reason }) => reason === "there_already"),
    refused: count(({ outcome }) => outcome === "refused"),
    reasons: Object.fromEntries(
      rows.flatMap(({ outcome, reason, n }) => (outcome === "refused" ? [[reason, Number(n)]] : [])),
    ),
  };
}
