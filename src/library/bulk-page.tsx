/** @jsxImportSource #jsx */
import { z } from "zod";
import { type BookmarkStates, changeStates } from "../bookmarks/bookmark-states.ts";
import { changeMany } from "../bookmarks/bulk/change-many.ts";
import { retaggedDescription } from "../bookmarks/tags/change-tags.ts";
import { removeBookmarks } from "../bookmarks/undo/removed-bookmarks.ts";
import { invalid } from "../errors.ts";
import { parseTagList } from "../tags/edited-description.ts";
import { tagKey } from "../tags/tag-name.ts";
import { text } from "../text.ts";
import { FormNumber } from "../web/forms/form-number.ts";
import { asList, type FormState } from "../web/forms/form-state.ts";
import { ErrorRow, TextField } from "../web/forms/forms.tsx";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import type { PageCall } from "../web/page.tsx";
import { seeOther } from "../web/view.ts";
import type { LibraryDependencies } from "./library-dependencies.ts";
import { backToLibrary } from "./search/view-url.ts";
import { SelectionBar } from "./selection-bar.tsx";

const ACTIONS = ["add", "take", "read", "unread", "archive", "unarchive", "remove"] as const;
type Action = (typeof ACTIONS)[number];

export const BulkForm = z.object({
  id: z.preprocess(asList, z.array(FormNumber).max(1_000)),
  action: z.enum(ACTIONS),
  tags: text().default(""),
  /** The page of the list to return to. */
  back: z.string().optional(),
});
type BulkForm = z.output<typeof BulkForm>;

/** `POST /library/bulk`: changes the selected bookmarks. */
export async function changeTickedBookmarks(
  { database }: LibraryDependencies,
  { body, caller, client }: PageCall<undefined, undefined, typeof BulkForm>,
) {
  const now = new Date();
  const { id: ids, action } = body;
  const back = backToLibrary(body.back);
  const accountId = caller.account?.id;
  if (ids.length === 0)
    return seeOther(back, { scheme: client.scheme, notice: { code: "nothing-selected" } });
  const states = STATES[action];
  if (states !== undefined) {
    const changed = await changeStates(database, ids, states, now);
    return seeOther(back, {
      scheme: client.scheme,
      notice: { code: changed > 0 ? "links-changed" : "nothing-changed" },
    });
  }
  const { undo } =
    action === "remove"
      ? await removeBookmarks(database, ids, accountId, now)
      : await retag(database, body, accountId, now);
  return seeOther(back, {
    scheme: client.scheme,
    notice: undo === null ? { code: "nothing-changed" } : { code: "links-changed", about: undo },
  });
}

const STATES: Partial<Record<Action, Partial<BookmarkStates>>> = {
  read: { unread: false },
  unread: { unread: true },
  archive: { archived: true },
  unarchive: { archived: false },
};

function retag(
  database: LibraryDependencies["database"],
  { id: ids, action, tags }: BulkForm,
  accountId: number | undefined,
  now: Date,
) {
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
  back,
}: {
  readonly messages: Messages;
  readonly form: FormState;
  readonly back: string;
}): Markup {
  const labels = messages.library.bulk;
  return (
    <SelectionBar
      messages={messages}
      boxes="id"
      label={labels.label}
      isOpen={form.error("tags") !== undefined}
    >
      <input type="hidden" name="back" value={back} />
      <div class="bar actions">
        <TextField
          form={form}
          name="tags"
          label={labels.tags}
          short
          autocomplete="off"
          autocapitalize="none"
        />
        {(["add", "take"] as const).map((action) => (
          <button class="button plain" type="submit" name="action" value={action}>
            {labels[action]}
          </button>
        ))}
      </div>
      <div class="bar actions">
        {(["read", "unread", "archive", "unarchive"] as const).map((action) => (
          <button class="button plain" type="submit" name="action" value={action}>
            {labels[action]}
          </button>
        ))}
        <button class="button plain alarm" type="submit" name="action" value="remove">
          {labels.remove}
        </button>
      </div>
    </SelectionBar>
  );
}
