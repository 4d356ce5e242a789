import { createHash } from "node:crypto";
import { z } from "zod";
import { inBatches } from "../batches.ts";
import type { Sql } from "../database/database.ts";
import { fragment } from "../database/fragment.ts";
import type { ImportRun, StagedOfKind } from "../kept/import-run.ts";
import { FIRST_INSTANT, kept, LAST_INSTANT, type RecordCount } from "../kept/kept.ts";
import { LONG_AT_ONCE, tableLines, text as textOf } from "../kept/lines.ts";
import { type RecordedRow, type RecordResult, thereAlready } from "../kept/staged-record.ts";
import { limits } from "../limits.ts";
import { instant, optionalUsername, recordVersion } from "../records/record.ts";
import { MARK_MEMBERS, type Mark } from "./mark.ts";
import { marksChanged, purgeMarks } from "./mark-changes.ts";
import { deleteMarks, findMarks, marksOf, placeMarks } from "./mark-store.ts";
import { markUndoer } from "./undo-marks.ts";

const { quote, prefix, suffix, position, note } = MARK_MEMBERS;
const shape = z.object({
  quote,
  prefix: prefix.default(""),
  suffix: suffix.default(""),
  position: position.default(null),
  note: note.default(""),
  version: recordVersion.default(1),
  created_at: instant,
  updated_at: instant,
  created_by: optionalUsername,
});
type MarkRecord = z.output<typeof shape>;

/** Of how many bookmarks the words are written at a time. */
const AT_ONCE = 50;

export const markLines = tableLines({
  columns: fragment`marks.id, bookmark_id as bookmark, quote, prefix, suffix, position, note, marks.version,
    marks.created_at, marks.updated_at, username as created_by`,
  from: fragment`marks join bookmarks on bookmarks.id = bookmark_id
    left join accounts on accounts.id = marks.created_by`,
  key: [fragment`marks.id`, "id"],
  as: {
    ...{ id: Number, bookmark: Number, position: Number, version: Number },
    ...{ created_at: textOf, updated_at: textOf },
  },
  atOnce: LONG_AT_ONCE,
  ids: "marks",
});

/** Marks, which come and go with their bookmarks. */
export const keptMarks = kept({
  kind: "mark",
  names: ["mark", "marks"],
  purge: purgeMarks,
  archive: {
    file: "marks.jsonl",
    shape,
    title: "quote",
    isCounted: true,
    of: "bookmark",
    table: "marks",
    lines: markLines,
    bringIn,

    async takeBack(undo) {
      const changed = new Set<number>();
      await undo.each(async (rows) => {
        const there = await findMarks(
          undo.sql,
          rows.flatMap(({ id }) => id ?? []),
        );
        const isSame = ({ id, version }: RecordedRow) => there.get(id ?? 0)?.version === version;
        const ids = rows.filter(isSame).flatMap(({ id }) => id ?? []);
        for (const id of ids) changed.add(there.get(id)?.bookmarkId ?? 0);
        if (ids.length > 0) undo.count(await deleteMarks(undo.sql, fragment`id in ${ids}`));
        return rows.filter((row) => there.has(row.id ?? 0) && !isSame(row));
      });
      await writeWords(undo.sql, changed);
    },
  },
  undo: { undoer: markUndoer, service: "copies" },
  check: async (sql) => [
    [
      "marks with an id or version below 1, without words, or with a date beyond the years 1970 to 9999",
      await sql<RecordCount>`select count(*) as n, min(id) as example from marks
        where id < 1 or version < 1 or quote = '' or created_at < ${FIRST_INSTANT} or created_at > ${LAST_INSTANT}
          or updated_at < ${FIRST_INSTANT} or updated_at > ${LAST_INSTANT}`,
    ],
  ],
});

/** Imports the marks that their bookmarks do not have yet. */
async function bringIn(run: ImportRun, marks: StagedOfKind<MarkRecord>): Promise<void> {
  const ids = await run.ids("marks");
  /** By the ids of bookmarks; those that a dry run would add have none. */
  const known = new Map<number | string, MarksThere>();
  const changed = new Set<number>();
  await marks.each(async (batch) => {
    await ids.prepare(batch.length);
    const added: Mark[] = [];
    const results: RecordResult[] = [];
    for (const { position, record, parent, wantedId } of batch) {
      const bookmark = parent === null ? undefined : run.references.resolve("bookmark", parent);
      if (parent === null || bookmark === undefined) {
        const detail = "Its bookmark was not imported.";
        results.push({ position, outcome: "refused", reason: "no_bookmark", detail });
        continue;
      }
      const key = bookmark.id ?? parent;
      const there =
        known.get(key) ?? new MarksThere(bookmark.id === null ? [] : await marksOf(run.sql, [bookmark.id]));
      known.set(key, there);
      if (there.take(record)) {
        results.push(thereAlready(position, "The bookmark has this mark already."));
        continue;
      }
      if (there.count >= limits().marksPerBookmark) {
        const detail = `Its bookmark has ${limits().marksPerBookmark} marks, which is as many as it takes.`;
        results.push({ position, outcome: "refused", reason: "too_many", detail });
        continue;
      }
      there.count++;
      const id = ids.take(wantedId);
      const { created_at, updated_at, created_by, ...same } = record;
      if (!run.isDry && bookmark.id !== null)
        added.push({
          ...{ ...same, id, bookmarkId: bookmark.id, createdBy: run.ownerOf(created_by) },
          ...{ createdAt: new Date(created_at), updatedAt: new Date(updated_at) },
        });
      results.push({ position, outcome: "added", id: run.isDry ? null : id, version: record.version });
    }
    await placeMarks(run.sql, added);
    for (const { bookmarkId } of added) changed.add(bookmarkId);
    return results;
  });
  await writeWords(run.sql, changed);
}

/** The marks that a bookmark had before the import, each of which is one of the file, and how many it has now. */
class MarksThere {
  count: number;
  readonly #keys: string[];

  constructor(marks: readonly Mark[]) {
    this.count = marks.length;
    this.#keys = marks.map(keyOf);
  }

  /** Takes the mark of the same words, position and note. @returns whether there was one */
  take(mark: Parameters<typeof keyOf>[0]): boolean {
    const index = this.#keys.indexOf(keyOf(mark));
    if (index >= 0) this.#keys.splice(index, 1);
    return index >= 0;
  }
}

/** Not the texts: an import may bring many. */
function keyOf({ quote, position, note }: Pick<Mark, "quote" | "position" | "note">): string {
  return createHash("sha256")
    .update(JSON.stringify([quote, position, note]))
    .digest("base64");
}

/** Writes the words of bookmarks whose marks have changed, once each, since the text of a copy is written with them. */
async function writeWords(sql: Sql, bookmarkIds: ReadonlySet<number>): Promise<void> {
  for (const ids of inBatches([...bookmarkIds], AT_ONCE)) await marksChanged(sql, ids);
}
