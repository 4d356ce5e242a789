import { pages } from "../batches.ts";
import type { CountedChange } from "../changes/change-store.ts";
import { type KeptReason, type KeptRecord, type Undone, undoRows } from "../changes/undo.ts";
import type { Database } from "../database/database.ts";
import { notFound, Refusal } from "../errors.ts";
import { type Permit, undoerOf } from "../undo/undo.ts";
import { countChangesBy, listChangesBy, nameOfToken, type Span } from "./token-changes.ts";

const CHANGES_AT_ONCE = 100;

/** A record that stays as it is, since somebody has touched it after the token. */
export interface KeptOfDay extends KeptRecord {
  /** The kind of the record. */
  readonly record: string;
  readonly why: KeptReason;
}

export interface DayUndone {
  /** How often a record is as it was before a change: twice for one that was changed twice. */
  readonly undone: number;
  readonly kept: readonly KeptOfDay[];
}

/**
 * Undoes what a token changed, newest first, each change in transactions of its own: whoever asks again goes on where it stopped, and
 * of several who ask at once each change is undone by one. What somebody else has touched since stays as it is.
 *
 * @param permit throws unless the caller may change records of a kind
 * @throws Refusal `not_found` for a token that is not known, or one that changed nothing then
 */
export async function undoSpan(
  database: Database,
  span: Span,
  now: Date,
  permit: Permit,
): Promise<DayUndone> {
  const kinds = await countChangesBy(database.read, span, now);
  if (kinds.size === 0) throw await nothingChanged(database, span.tokenId);
  for (const kind of kinds.keys()) permit(kind);
  let undone = 0;
  for (;;) {
    const pass = await undoOnce(database, span, now);
    undone += pass.undone;
    // What was begun before and ended after a change that stayed is undone now: that one can be, too.
    if (pass.undone === 0 || pass.kept.length === 0) return { undone, kept: pass.kept };
  }
}

async function undoOnce(database: Database, span: Span, now: Date): Promise<DayUndone> {
  const kept = new Map<string, KeptOfDay>();
  let undone = 0;
  const standing = pages<CountedChange>((last) =>
    listChangesBy(database.read, span, now, { after: last?.id, limit: CHANGES_AT_ONCE, standing: true }),
  );
  for await (const changes of standing)
    for (const change of changes) {
      const result = await undoRows(database, undoerOf(change.record), change, now).catch(undoneByAnother);
      undone += result.changed;
      const { record } = change;
      const { title = "", url = "" } = change.details as Partial<KeptRecord>;
      const gone = result.gone.map((id) => ({ id, title, url, why: "gone" as const }));
      for (const { why = "changed", ...one } of [...result.kept, ...gone]) {
        const key = `${record} ${one.id}`;
        if (!kept.has(key)) kept.set(key, { record, ...one, why });
      }
    }
  return { undone, kept: [...kept.values()] };
}

function undoneByAnother(error: unknown): Undone {
  if (error instanceof Refusal && error.reason === "conflict") return { changed: 0, kept: [], gone: [] };
  throw error;
}

async function nothingChanged(database: Database, tokenId: number): Promise<Refusal> {
  return (await nameOfToken(database.read, tokenId)) === undefined
    ? notFound("Token", tokenId)
    : new Refusal(
        "not_found",
        "This token changed nothing then that can be undone; changes can be undone for 30 days.",
      );
}
