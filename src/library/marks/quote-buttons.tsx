/** @jsxImportSource #jsx */
import type { Mark } from "../../marks/mark.ts";
import { findOpenDraft, type OpenDraft } from "../../posts/editing/edit-store.ts";
import { shownTitle } from "../../posts/shown-title.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { truncateAtWord } from "../../web/truncate.ts";
import { local } from "../../web/urls.ts";
import type { LibraryParts } from "../library-parts.ts";
import { mayPublish } from "../may-write.ts";

/** The drafts in which a caller may quote marks. */
export interface QuoteOffer {
  /** The one that they have changed last, beside a new one. */
  readonly draft: OpenDraft | undefined;
}

/** The drafts for a caller's quotations; undefined without the right to write posts, and on a site without posts. */
export async function quoteOffer(
  library: Pick<LibraryParts, "pages">,
  context: Pick<PageContext, "caller" | "read">,
): Promise<QuoteOffer | undefined> {
  const { account } = context.caller;
  if (account === undefined || !mayPublish(library, context)) return undefined;
  return { draft: await findOpenDraft(context.read, account.id) };
}

/** The characters of a title on a button. */
const TITLE_MAX = 30;

/** Buttons that quote a mark: in a new draft, and in the one that is open. */
export function QuoteButtons({
  mark: { id, bookmarkId },
  offer: { draft },
  messages: {
    reading: { marks: labels },
  },
}: {
  readonly mark: Pick<Mark, "id" | "bookmarkId">;
  readonly offer: QuoteOffer;
  readonly messages: Messages;
}): Markup {
  return (
    <form class="bar" method="post" action={local(`/library/${bookmarkId}/marks/${id}/quote`)}>
      <button class="link-button" type="submit">
        {labels.quote}
      </button>
      {draft !== undefined && (
        <button class="link-button" type="submit" name="draft" value={draft.key}>
          {labels.quoteIn(truncateAtWord(shownTitle(draft.title), TITLE_MAX))}
        </button>
      )}
    </form>
  );
}
