/** @jsxImportSource #jsx */

import { z } from "zod";
import {
  changeMany,
  changeStatesOfMany,
  type ManyChanged,
  removeBookmarks,
} from "../bookmarks/bulk/change-many.ts";
import { selected } from "../bookmarks/bulk/selection.ts";
import { indexedBookmarks } from "../bookmarks/search/indexed-bookmarks.ts";
import { checkCopies, mayReadCopies } from "../bookmarks/search/inside-copies.ts";
import { retaggedDescription } from "../bookmarks/tags/change-tags.ts";
import type { Database } from "../database/database.ts";
import { invalid } from "../errors.ts";
import type { Client } from "../http/client/client.ts";
import { withSiteDays } from "../posts/publication/site-days.ts";
import type { BookmarkStates } from "../records/bookmark-members.ts";
import { parseTypedQuery } from "../search/query/parser.ts";
import { QueryError } from "../search/query/query-error.ts";
import { parseTagList } from "../tags/retag.ts";
import { tagKey } from "../tags/tag-name.ts";
import { text } from "../text.ts";
import { FormNumber } from "../web/forms/form-number.ts";
import { asList, type FormState } from "../web/forms/form-state.ts";
import { ErrorRow } from "../web/forms/forms.tsx";
import { BOOKMARK_TAGS, TagField } from "../web/forms/tag-field.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { PageCall } from "../web/page.tsx";
import { type SafeUrl, withFragment } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { BULK_ACTIONS, writeBulkNotice } from "./bulk-notice.ts";
import { askForCopies } from "./copies/ask-for-copies.ts";
import { KEYS } from "./keys.ts";
import type { LibraryParts } from "./library-parts.ts";
import { LibraryQuery } from "./library-query.ts";
import { listIds, stateFilter } from "./library-store.ts";
import { backToLibrary, entryId, viewUrl } from "./search/view-url.ts";
import { SelectionBar, type WholeList } from "./selection-bar.tsx";

export const BulkForm = z.object({
  id: z.preprocess(asList, z.array(FormNumber).max(1_000)),
  /** All of the list, not only what was selected. */
  all: z.string().optional(),
  action: z.enum(BULK_ACTIONS),
  tags: text().default(""),
  /** The page of the list to return to. */
  back: z.string().optional(),
});
type BulkForm = z.output<typeof BulkForm>;

/** `POST /library/bulk`: changes the selected bookmarks, or asks for copies of their pages, and shows them again, still selected. */
export async function changeTickedBookmarks(
  dependencies: LibraryParts,
  call: PageCall<undefined, undefined, typeof BulkForm>,
) {
  const { body, caller, client, dates } = call;
  const { action, all } = body;
  const { scheme } = client;
  const query = queryOf(body.back, client);
  const ids =
    all === undefined
      ? [...new Set(body.id)]
      : await listedIds(dependencies, query, dates.timeZone, await mayReadCopies(dependencies, call));
  if (ids.length === 0) return seeOther(viewUrl(query, {}), { scheme, notice: { code: "nothing-selected" } });
  const { changed, undo } =
    action === "copy"
      ? { changed: await askForCopies(dependencies.copyParts, call, ids), undo: null }
      : await changeSelected(dependencies.database, ids, { ...body, action }, caller.account?.id);
  const ticked = all === undefined ? ids.join(".") : "all";
  const target = viewUrl(query, query.tag === undefined ? { ticked } : {});
  return seeOther(query.tag === undefined ? target : withFragment(target, entryId(ids[0] ?? 0)), {
    scheme,
    notice:
      changed === 0
        ? { code: "nothing-changed" }
        : { code: "links-changed", about: writeBulkNotice({ action, changed, selected: ids.length, undo }) },
  });
}

/** The query of the list that a form returns to. */
export function queryOf(back: string | undefined, { origin }: Pick<Client, "origin">): LibraryQuery {
  const { searchParams } = new URL(backToLibrary(back), origin);
  return LibraryQuery.parse(Object.fromEntries(searchParams));
}

/** The ids of all bookmarks of a list. */
async function listedIds(
  { database, search }: LibraryParts,
  { q, show }: LibraryQuery,
  timeZone: string,
  inside: boolean,
) {
  const typed = q?.trim();
  if (!typed) return listIds(database.read, stateFilter(show));
  try {
    const parsed = parseTypedQuery(typed, withSiteDays(indexedBookmarks.vocabulary, timeZone));
    checkCopies(parsed, inside);
    if (parsed.root === undefined && parsed.pageHash === undefined) return [];
    return (await selected(database.read, search, { q: { parsed } }, inside)).ids;
  } catch (error) {
    // A search that cannot be read finds nothing.
    if (error instanceof QueryError) return [];
    throw error;
  }
}

const STATES: Partial<Record<BulkForm["action"], Partial<BookmarkStates>>> = {
  read: { unread: false },
  unread: { unread: true },
  archive: { archived: true },
  unarchive: { archived: false },
};

/** What is done to the bookmarks themselves. */
type Changes = Pick<BulkForm, "tags"> & { readonly action: Exclude<BulkForm["action"], "copy"> };

/** Changes bookmarks, in batches, so that other writes never wait long. */
export async function changeSelected(
  database: Database,
  ids: readonly number[],
  { action, tags }: Changes,
  accountId: number | undefined,
): Promise<ManyChanged> {
  const now = database.clock.now();
  const states = STATES[action];
  if (states !== undefined) return changeStatesOfMany(database, ids, states, { accountId }, now);
  if (action === "remove") return removeBookmarks(database, ids, accountId, now);
  const names = parseTagList(tags);
  if (names.length === 0)
    throw invalid([{ pointer: "/tags", code: "missing", detail: "Enter at least one tag." }]);
  const keys = new Set(names.map(tagKey));
  const details = { matched: ids.length, [action === "add" ? "add_tags" : "remove_tags"]: names };
  return changeMany(
    database,
    ids,
    { kind: "bulk", details, accountId },
    (bookmark) =>
      retaggedDescription(bookmark, (had) =>
        action === "add" ? [...had, ...names] : had.filter((tag) => !keys.has(tagKey(tag))),
      ),
    now,
  );
}

/** Why the selected bookmarks were not changed; first in the form of the list. */
export function BulkErrors({
  messages,
  form,
}: {
  readonly messages: Messages;
  readonly form: FormState;
}): Markup | null {
  return (
    <ErrorRow
      form={form}
      messages={messages}
      refused="change"
      labels={{ tags: messages.library.bulk.tags }}
    />
  );
}

/** The actions for the selected bookmarks, below the list in its form. */
export function BulkBar({
  messages,
  form,
  here,
  whole,
  back,
  keepsCopies,
  end,
}: {
  readonly messages: Messages;
  readonly form: FormState;
  readonly here: number;
  readonly whole: WholeList | undefined;
  readonly back: string;
  /** Whether copies of their pages can be asked for. */
  readonly keepsCopies: boolean;
  /** Where the list is without a selection, if the bar is shown only while something is selected. */
  readonly end: SafeUrl | undefined;
}): Markup {
  const labels = messages.library.bulk;
  return (
    <SelectionBar
      messages={messages}
      boxes="id"
      label={labels.label}
      here={here}
      whole={whole}
      isWhole={form.has("all")}
      isOpen={form.error("tags") !== undefined}
      end={end}
    >
      <input type="hidden" name="back" value={back} />
      <div class="bar actions">
        <TagField
          messages={messages}
          form={form}
          name="tags"
          label={labels.tags}
          short
          suggest={BOOKMARK_TAGS}
        />
        {(["add", "take"] as const).map((action) => (
          <button class="button plain" type="submit" name="action" value={action}>
            {labels[action]}
          </button>
        ))}
      </div>
      <div class="bar actions">
        {(["read", "unread", "archive", "unarchive"] as const).map((action) => (
          <button
            class="button plain"
            type="submit"
            name="action"
            value={action}
            data-key={action === "read" || action === "archive" ? KEYS[action] : undefined}
          >
            {labels[action]}
          </button>
        ))}
        {keepsCopies && (
          <button class="button plain" type="submit" name="action" value="copy">
            {messages.copies.selected.keep}
          </button>
        )}
        <button class="button plain alarm" type="submit" name="action" value="remove" data-key={KEYS.remove}>
          {labels.remove}
        </button>
      </div>
    </SelectionBar>
  );
}
