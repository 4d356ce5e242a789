import { CopyStore } from "../../copies/copy-store.ts";
import type { ExtractedPage } from "../../copies/extraction/extract-page.ts";
import { ExtractionError } from "../../copies/extraction/extraction-error.ts";
import type { Extractor } from "../../copies/extraction/extraction-process.ts";
import type { CopyKeeper } from "../../copies/keep-copy.ts";
import { textOfCopy } from "../../copies/search/text-of-copy.ts";
import type { Database, Sql } from "../../database/database.ts";
import { fragment } from "../../database/fragment.ts";
import { Refusal } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { AcceptedRow } from "../../readers/bookmarks/check-row.ts";
import type { TextsReport } from "./import-report.ts";
import { type BroughtRecord, recordBrought } from "./import-store.ts";
import { forgetImport } from "./recorded-imports.ts";
import type { StagedBookmarks } from "./staged-file.ts";
import type { StagedText, TextRefusal } from "./staged-texts.ts";
import { lastPosition } from "./undo-import.ts";

/** What texts of pages are kept with. */
export interface TextParts {
  readonly keeper: Pick<CopyKeeper, "keep" | "check">;
  readonly extractor: Pick<Extractor, "sanitize">;
}

export interface KeepingOptions {
  /** The import that has stored the rows of the file. */
  readonly importId: number;
  /** Who imports it. */
  readonly accountId?: number | undefined;
  /** How many texts are kept at most, so that other jobs have their turn; by default all. */
  readonly most?: number;
  readonly signal?: AbortSignal;
  /** Called in the transaction that records what became of a text. */
  readonly onText?: (sql: Sql, number: number) => Promise<void>;
}

/**
 * Keeps the texts of pages that a file brings as copies, each in its own transaction, which records it after the rows of the
 * file: so another call continues where an interrupted one ended. A text that its bookmark has already is skipped.
 *
 * @returns whether all are done
 * @throws Refusal `unavailable` when the store of MEDIA is away; the signal's reason
 */
export async function keepTexts(
  database: Database,
  parts: TextParts,
  staged: StagedBookmarks,
  options: KeepingOptions,
): Promise<boolean> {
  const { importId, most = Number.POSITIVE_INFINITY, signal, onText = async () => {} } = options;
  const { texts, rows, records } = staged;
  let last = (await lastPosition(database.read, importId)) - records.total;
  for (let done = 0; ; done++) {
    const text = texts.after(Math.max(0, last));
    if (text === undefined) return true;
    if (done >= most) return false;
    signal?.throwIfAborted();
    last = text.number;
    const row = rows.at(text.position);
    const bookmarkId = await bookmarkOf(database.read, importId, text.position);
    // Its row was refused.
    if (bookmarkId === undefined || row === undefined || !("bookmark" in row)) continue;
    const store = async (sql: Sql, outcome: Pick<BroughtRecord, "outcome" | "reason" | "detail" | "id">) => {
      const record = { position: records.total + text.number, kind: "copy", row: row.row } as const;
      await recordBrought(sql, importId, [{ ...record, ...outcome }]);
      await onText(sql, text.number);
    };
    const onStored = (sql: Sql, { id }: { readonly id: number }) => store(sql, { outcome: "added", id });
    const outcome = await new TextKeeping(database, parts, options).keep(text, row, bookmarkId, onStored);
    if (outcome !== "kept") await database.write((sql) => store(sql, outcome));
  }
}

/** A text that did not become a copy. */
type NotKept =
  | { readonly outcome: "skipped"; readonly reason: "there_already"; readonly detail: null }
  | { readonly outcome: "refused"; readonly reason: TextRefusal; readonly detail: string };

class TextKeeping {
  readonly #database: Database;
  readonly #parts: TextParts;
  readonly #options: KeepingOptions;

  constructor(database: Database, parts: TextParts, options: KeepingOptions) {
    this.#database = database;
    this.#parts = parts;
    this.#options = options;
  }

  async keep(
    { html, refusal }: StagedText,
    { bookmark }: AcceptedRow,
    bookmarkId: number,
    onStored: (sql: Sql, copy: { readonly id: number }) => Promise<void>,
  ): Promise<"kept" | NotKept> {
    if (html === undefined) return refused(refusal ?? "damaged");
    const { keeper, extractor } = this.#parts;
    const { accountId, signal } = this.#options;
    try {
      // A process is spared for what cannot be kept.
      await keeper.check(bookmarkId, Buffer.byteLength(html));
      const page = await extractor.sanitize(html, bookmark.url, signal);
      if (await hasText(this.#database.read, bookmarkId, page))
        return { outcome: "skipped", reason: "there_already", detail: null };
      await keeper.keep(
        bookmarkId,
        // The other program has taken it when the link was saved.
        { origin: "imported", url: bookmark.url, page, takenAt: bookmark.createdAt },
        accountId,
        onStored,
      );
      return "kept";
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === undefined) throw error;
      return refused(reason);
    }
  }
}

const DETAILS: Readonly<Record<TextRefusal, () => string>> = {
  too_large: () => "The text is too large.",
  too_costly: () => "The text has too much markup to be read safely.",
  empty: () => "The text has no words.",
  too_many: () => `The link has ${limits().copiesPerBookmark} copies, which is as many as it takes.`,
  storage_full: () => "There is no room for more copies.",
  damaged: () => "The file of the text cannot be read.",
  gone: () => "The link was removed meanwhile.",
};

function refused(reason: TextRefusal): NotKept {
  return { outcome: "refused", reason, detail: DETAILS[reason]() };
}

/** Undefined for an error that is not of the text. */
function refusalOf(error: unknown): TextRefusal | undefined {
  if (error instanceof ExtractionError) return error.code === "empty" ? "empty" : "too_costly";
  if (!(error instanceof Refusal)) return undefined;
  const { reason } = error;
  if (reason === "too_large" || reason === "storage_full") return reason;
  if (reason === "not_found") return "gone";
  return reason === "conflict" ? "too_many" : undefined;
}

/** Whether a copy of the link has these words already; another version of the sanitizer may write other markup. */
async function hasText(sql: Sql, bookmarkId: number, page: ExtractedPage): Promise<boolean> {
  const store = new CopyStore(undefined);
  const words = wordsOf(page.html);
  for (const { id } of await store.newestFirst(sql, bookmarkId))
    if (wordsOf(await store.html(sql, id)) === words) return true;
  return false;
}

/** Without white space: a picture that is left out has none around it. */
function wordsOf(html: string): string {
  return textOfCopy(html).replaceAll(/\s+/g, "");
}

/** The bookmark that a row became, or that was there; undefined for a refused row. */
async function bookmarkOf(sql: Sql, importId: number, position: number): Promise<number | undefined> {
  const [row] = await sql<{ record_id: number | null }>`
    select record_id from import_rows where import_id = ${importId} and position = ${position}`;
  return row?.record_id == null ? undefined : Number(row.record_id);
}

const TEXTS = fragment`kind = 'copy'`;

/** What became of the texts of an import. @param found how many the file has */
export async function textsReport(sql: Sql, importId: number, found: number): Promise<TextsReport> {
  const rows = await sql<{ outcome: string; reason: TextRefusal | null; n: number }>`
    select outcome, reason, count(*) as n from import_rows where import_id = ${importId} and ${TEXTS}
    group by outcome, reason`;
  const count = (wanted: string) =>
    rows.filter(({ outcome }) => outcome === wanted).reduce((sum, { n }) => sum + Number(n), 0);
  const reasons = rows.flatMap(({ outcome, reason, n }) =>
    outcome === "refused" && reason !== null ? [[reason, Number(n)] as const] : [],
  );
  return {
    ...{ found, kept: count("added"), there_already: count("skipped"), refused: count("refused") },
    reasons: Object.fromEntries(reasons),
  };
}

/** Forgets an import whose rows, texts and marks were all there already. @returns whether it did */
export async function forgetUnchanged(database: Database, importId: number): Promise<boolean> {
  const changed = await database.read`
    select 1 from import_rows
    where import_id = ${importId} and (outcome in ('added', 'updated') or (kind in ('copy', 'mark') and outcome = 'refused'))
    limit 1`;
  return changed.length === 0 && (await forgetImport(database, importId, database.clock.now()));
}
