import { inBatches } from "../batches.ts";
import { type Change, readChanges } from "../changes/change-store.ts";
import { type KeptReason, type KeptRecord, type Undone, undoRows } from "../changes/undo.ts";
import type { Database } from "../database/database.ts";
import { Refusal } from "../errors.ts";
import { type Permit, undoerOf } from "../undo/undo.ts";
import { countChangesBy, type Span, standingChangesBy } from "./token-changes.ts";

const CHANGES_AT_ONCE = 100;
/** The kinds of records that agents can change. */
const CHANGED_BY_AGENTS = ["bookmark", "post"];

/** A record that stays as it is, since somebody has touched it after the token. */
export interface KeptOfDay extends KeptRecord {
  /** The kind of the record. */
  readonly record: string;
  readonly why: KeptReason;
}

export interface DayUndone {
  /** The number of records put back; one that was changed twice counts twice. */
  readonly undone: number;
  readonly kept: readonly KeptOfDay[];
}

/**
 * Undoes what a token changed, newest first, each change in transactions of its own: a repeated request goes on where it stopped, and
 * of several at once, one undoes each change. What somebody else has touched since stays as it is.
 *
 * @param permit throws unless the caller may change records of a kind
 * @throws Refusal `not_found` for a token that changed nothing then
 */
export async function undoSpan(
  database: Database,
  span: Span,
  now: Date,
  permit: Permit,
): Promise<DayUndone> {
  const kinds = [...(await countChangesBy(database.read, span, now)).keys()];
  // Who may not undo all that there could be learns neither of tokens nor of their changes.
  for (const kind of kinds.length === 0 ? CHANGED_BY_AGENTS : kinds) permit(kind);
  if (kinds.length === 0) throw nothingChanged(span.tokenId);
  let undone = 0;
  const kept: KeptOfDay[] = [];
  // Read once: a statement for each batch would sort all that are left. Of a kind that came since, nothing is permitted.
  const standing = await standingChangesBy(database.read, span, now, kinds);
  for (const ids of inBatches(standing, CHANGES_AT_ONCE)) {
    const some = await undoChanges(database, await readChanges(database.read, ids), now);
    undone += some.undone;
    kept.push(...some.kept);
  }
  return { undone, kept: [...new Map(kept.map((one) => [`${one.record} ${one.id}`, one])).values()] };
}

/** Undoes changes in their order; those that are undone already count as nothing. */
export async function undoChanges(
  database: Database,
  changes: readonly Change[],
  now: Date,
): Promise<DayUndone> {
  let undone = 0;
  const kept: KeptOfDay[] = [];
  for (const change of changes) {
    const { record, details } = change;
    const result = await undoRows(database, undoerOf(record), change, now).catch(undoneByAnother);
    undone += result.changed;
    const { title = "", url = "" } = details as Partial<KeptRecord>;
    kept.push(...result.kept.map(({ why = "changed", ...one }) => ({ record, ...one, why })));
    kept.push(...result.gone.map((id) => ({ record, id, title, url, why: "gone" as const })));
  }
  return { undone, kept };
}

function undoneByAnother(error: unknown): Undone {
  if (error instanceof Refusal && error.reason === "conflict") return { changed: 0, kept: [], gone: [] };
  throw error;
}

/** 404 for a token that changed nothing, and for one that there is not. */
export function nothingChanged(tokenId: number): Refusal {
  return new Refusal(
    "not_found",
    `Token ${tokenId} changed nothing then that can be undone; changes can be undone for 30 days.`,
  );
}
