/** @jsxImportSource #jsx */
import { z } from "zod";
import {
  countPlainDuplicates,
  differences,
  findDuplicates,
  ofOnePage,
} from "../bookmarks/duplicates/duplicate-store.ts";
import { mergeBookmarks, mergePlainDuplicates } from "../bookmarks/duplicates/merge-bookmarks.ts";
import type { Routes } from "../http/endpoint.ts";
import { readDescription } from "../tags/description-tags.ts";
import { FormNumber } from "../web/forms/form-number.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { PageCall } from "../web/page.tsx";
import { Section, Title } from "../web/sections.tsx";
import { truncateAtWord } from "../web/truncate.ts";
import { local, web } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { displayTitle } from "./entries/shown-text.ts";
import { withUndoOfLinks } from "./entries/undo-notice.tsx";
import type { LibraryParts } from "./library-parts.ts";
import { findEntries, type LibraryBookmark } from "./library-store.ts";
import { PageLinks } from "./page-links.tsx";

const GROUPS_PER_PAGE = 20;
const TAGS_MAX = 12;
/** The maximum number of characters of a note. */
const NOTE_MAX = 280;

const DuplicatesQuery = z.object({ after: z.string().max(100).optional().catch(undefined) });
/** What to keep of each group that can be merged without asking. */
const OLDEST = "oldest";

const MergeForm = z.object({
  keep: z.union([z.literal(OLDEST), FormNumber]),
  /** The ids of the group, separated by spaces; none with {@link OLDEST}, which is about all groups. */
  of: z
    .string()
    .regex(/^\d{1,15}( \d{1,15}){0,99}$/)
    .transform((ids) => ids.split(" ").map(Number))
    .default([]),
});

/** Links of the same page. */
export function duplicatesPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/duplicates": {
      GET: pages.page({ access, inSnapshot: true, query: DuplicatesQuery }, (call) =>
        showDuplicates(library, call),
      ),
      POST: pages.page({ access, body: MergeForm }, (call) => merge(library, call)),
    },
  };
}

/** `GET /library/duplicates` */
async function showDuplicates(
  { database }: Pick<LibraryParts, "database">,
  call: PageCall<undefined, typeof DuplicatesQuery>,
): Promise<View> {
  const { read, messages, dates, query } = call;
  const found = await findDuplicates(read, GROUPS_PER_PAGE, query.after);
  const groups = await Promise.all(found.map(({ ids }) => findEntries(read, ids)));
  const shown = groups.map(ofOnePage).filter((entries) => entries.length > 1);
  const last = found.length === GROUPS_PER_PAGE ? found.at(-1) : undefined;
  const plain = await countPlainDuplicates(read);
  const labels = messages.library.duplicates;
  return withUndoOfLinks({ database }, call, {
    title: labels.title,
    layout: "wide",
    body: (
      <>
        <Title text={labels.title}>{shown.length === 0 ? labels.none : labels.intro}</Title>
        {plain.groups > 1 && (
          <form class="row part" method="post" action={local("/library/duplicates")}>
            <div class="stack">
              <p>
                <button class="button plain" type="submit" name="keep" value={OLDEST}>
                  {labels.keepOldest(plain)}
                </button>
              </p>
              <p class="quiet">{labels.oldest}</p>
            </div>
          </form>
        )}
        {shown.map((entries) => (
          <Section title={labels.same}>
            <p class="quiet">{differenceOf(entries, labels)}</p>
            <form method="post" action={local("/library/duplicates")}>
              <input type="hidden" name="of" value={entries.map(({ id }) => id).join(" ")} />
              <ul class="lines">
                {entries.map((entry) => (
                  <li class="bar apart">
                    <div>
                      <a href={web(entry.url)} rel="noreferrer" dir="auto">
                        {displayTitle(entry)}
                      </a>
                      <br />
                      <span class="host" dir="auto">
                        {truncateAtWord(entry.url, 120)} ·{" "}
                        <span class="when">{dates.shortDay(entry.createdAt)}</span>
                      </span>
                      <TagsAndNote entry={entry} />
                    </div>
                    <button class="button plain" type="submit" name="keep" value={String(entry.id)}>
                      {labels.keep}
                      <span class="unseen"> {displayTitle(entry)}</span>
                    </button>
                  </li>
                ))}
              </ul>
            </form>
          </Section>
        ))}
        <PageLinks
          next={last && local("/library/duplicates", { after: last.page })}
          label={messages.library.more}
          messages={messages}
        />
      </>
    ),
  });
}

/** What a choice is made by, besides the address. */
function TagsAndNote({ entry }: { readonly entry: LibraryBookmark }): Markup {
  const { text, tags } = readDescription(entry.description);
  return (
    <>
      {tags.length > 0 && (
        <p class="heads">
          {tags.slice(0, TAGS_MAX).map((tag) => (
            <span dir="auto">#{tag}</span>
          ))}
        </p>
      )}
      {text !== "" && (
        <p class="quiet" dir="auto">
          {truncateAtWord(text, NOTE_MAX)}
        </p>
      )}
    </>
  );
}

/** A sentence about the parts in which the addresses of a group differ. */
function differenceOf(
  entries: readonly LibraryBookmark[],
  labels: PageCall["messages"]["library"]["duplicates"],
): string {
  const parts = differences(entries.map(({ url }) => url)).filter((part) => part !== "none");
  return parts.length === 0 ? labels.isEqual : labels.differ(parts.map((part) => labels.parts[part]));
}

/** `POST /library/duplicates`: merges the bookmarks of a group, or those of all that need no choice. */
async function merge(
  { database, copies }: LibraryParts,
  { body, caller, client }: PageCall<undefined, undefined, typeof MergeForm>,
) {
  const { keep, of } = body;
  const [accountId, now] = [caller.account?.id, database.clock.now()];
  const drop = of.filter((id) => id !== keep);
  if (keep !== OLDEST && drop.length === 0) return seeOther(local("/library/duplicates"));
  const undo =
    keep === OLDEST
      ? await mergePlainDuplicates({ database, copies }, accountId, now)
      : (await mergeBookmarks({ database, copies }, { keep, drop }, accountId, now)).undo;
  return seeOther(local("/library/duplicates"), {
    scheme: client.scheme,
    notice: undo === null ? { code: "nothing-changed" } : { code: "links-merged", about: undo },
  });
}
