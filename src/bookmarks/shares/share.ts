import { z } from "zod";
import { fragment } from "../../database/fragment.ts";
import { QUERY_FORMAT } from "../../search/parameters.ts";
import { parseQuery, QUERY_MAX } from "../../search/query/parser.ts";
import { QueryError } from "../../search/query/query-error.ts";
import { asIssue, type TextError, textErrors } from "../../text.ts";
import { indexedBookmarks } from "../search/indexed-bookmarks.ts";
import { refuseSharedCopies } from "../search/inside-copies.ts";

/** The maximum length of a shared list's title. */
export const SHARE_TITLE_MAX = 200;

/** Archived bookmarks are never shared: a condition on the entry `e`. */
export const NOT_ARCHIVED = fragment`not exists (
  select 1 from bookmarks b where b.id = e.id and b.archived is true)`;

/**
 * A list of bookmarks for whoever has its address: a row of `keys` (`accounts/keys.ts`). The page, the API and the
 * command create one each: `library/shares/share-pages.tsx`, `share-api.ts`, `commands/bookmarks/share.ts`.
 */
export interface Share {
  readonly id: number;
  /** The search whose matches are shown. */
  readonly query: string;
  readonly title: string;
  /** Whether the notes are shown, too. */
  readonly withNotes: boolean;
  /** The name of the token that shared it, with which it ends when that is revoked; null when a person did. */
  readonly madeBy: string | null;
  readonly createdAt: Date;
  /** null: until it is stopped. */
  readonly expiresAt: Date | null;
}

/** The search of a shared list. It is not blank: all bookmarks are not shared by mistake. */
export const SharedQuery = z
  .string()
  .check((context) => {
    for (const error of queryErrors(context.value)) context.issues.push(asIssue(error, context.value));
  })
  .meta({ format: QUERY_FORMAT, minLength: 1, maxLength: QUERY_MAX });

function queryErrors(text: string): TextError[] {
  const errors = textErrors(text, {});
  if (errors.length > 0) return errors;
  try {
    const query = parseQuery(text, indexedBookmarks.vocabulary);
    refuseSharedCopies(query);
    const { root, pageHash } = query;
    return root === undefined && pageHash === undefined
      ? [{ code: "too_short", detail: "Must have something to search for, such as a word or a #tag." }]
      : [];
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return [{ code: error.code, detail: error.message, position: error.position }];
  }
}
