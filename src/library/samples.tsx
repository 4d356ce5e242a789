/** @jsxImportSource #jsx */
import { z } from "zod";
import { collectionState } from "../bookmarks/bookmark-store.ts";
import { writeBookmarks } from "../bookmarks/bookmark-writer.ts";
import { removeBookmarks } from "../bookmarks/bulk/change-many.ts";
import type { Sql } from "../database/database.ts";
import type { Routes } from "../http/endpoint.ts";
import { tagsOf } from "../tags/description-tags.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { Section } from "../web/sections.tsx";
import { local } from "../web/urls.ts";
import { seeOther } from "../web/view.ts";
import { writeBulkNotice } from "./bulk-notice.ts";
import type { LibraryParts } from "./library-parts.ts";

/** Links to try an empty library with, newest first: URL, title, note, tags. */
const SAMPLES = [
  [
    "https://publicdomainreview.org/",
    "The Public Domain Review",
    "Essays on odd and wonderful old things.",
    "#history #art",
  ],
  ["https://www.oldmapsonline.org/", "OldMapsOnline", "", "#maps #history"],
  [
    "https://www.theatlantic.com/magazine/archive/1945/07/as-we-may-think/303881/",
    "As We May Think",
    "“Wholly new forms of encyclopedias will appear, ready-made with a mesh of associative trails running through them.”",
    "#web #history",
  ],
  ["https://practicaltypography.com/", "Butterick’s Practical Typography", "", "#typography #writing"],
  ["https://radio.garden/", "Radio Garden", "Turn the globe, and listen.", "#music #maps"],
  ["https://apod.nasa.gov/apod/", "Astronomy Picture of the Day", "", "#science #pictures"],
  [
    "https://en.wikipedia.org/wiki/Commonplace_book",
    "Commonplace book – Wikipedia",
    "What this program is named after.",
    "#history #writing",
  ],
  ["https://standardebooks.org/", "Standard Ebooks", "Free ebooks, carefully made.", "#books #typography"],
  ["https://www.c82.net/euclid/", "Byrne’s Euclid", "", "#typography #science"],
  [
    "https://www.w3.org/History/1989/proposal.html",
    "Information Management: A Proposal",
    "",
    "#web #history",
  ],
  ["https://www.gutenberg.org/", "Project Gutenberg", "", "#books"],
  ["https://archive.org/", "Internet Archive", "", "#web #books #pictures"],
] as const;
const URLS: ReadonlySet<string> = new Set(SAMPLES.map(([url]) => url));
/** Every sample has it; without it, a link is one that somebody wants to keep. */
const TAG = "sample";
/** How long one is older than the one above it, in milliseconds. */
const APART = 9 * 60 * 60 * 1000;
/** In a larger library, nobody looks for them: no index finds a URL or a part of a description. */
const SMALL = 100;

const SamplesForm = z.object({ act: z.enum(["add", "remove"]) });

/** `/library/samples`: adds the samples to an empty library, and removes those that are still marked. */
export function samplesPage({ pages, database, writeAccess: access }: LibraryParts): Routes {
  return {
    "/library/samples": {
      POST: pages.page({ access, body: SamplesForm }, async ({ body, caller, client: { scheme } }) => {
        const now = database.clock.now();
        const accountId = caller.account?.id;
        if (body.act === "add") {
          await writeBookmarks(database, now, async (writer, sql) => {
            if ((await collectionState(sql)).count > 0) return;
            for (const [index, [url, title, note, tags]] of [...SAMPLES.entries()].reverse())
              await writer.insert({ url, title, description: `${note}\n${tags} #${TAG}`.trim() }, accountId, {
                createdAt: new Date(now.getTime() - index * APART),
              });
          });
          return seeOther(local("/library"), { scheme });
        }
        const ids = await findSamples(database.read);
        const done = await removeBookmarks(database, ids, accountId, now);
        const about = writeBulkNotice({ action: "remove", selected: ids.length, ...done });
        const notice = done.changed > 0 ? ({ code: "links-changed", about } as const) : undefined;
        return seeOther(local("/library"), { scheme, ...(notice && { notice }) });
      }),
    },
  };
}

/** The ids of the samples in a small library. @param total the number of its links */
export async function samplesOf(read: Sql, total: number): Promise<number[]> {
  return total > SMALL ? [] : findSamples(read);
}

async function findSamples(read: Sql): Promise<number[]> {
  const rows = await read<{ id: number; url: string; description: string }>`
    select id, url, description from bookmarks order by created_at, id limit ${SMALL}`;
  return rows
    .filter(({ url, description }) => URLS.has(url) && tagsOf(description).includes(TAG))
    .map(({ id }) => id);
}

/** Offers the samples on the page of an empty library. */
export function OfferSamples({ messages }: { readonly messages: Messages }): Markup {
  const labels = messages.frame.samples;
  return (
    <Section title={labels.title}>
      <form class="bar" method="post" action={local("/library/samples")}>
        <button class="button plain" type="submit" name="act" value="add">
          {labels.add}
        </button>
        <span class="quiet">{labels.about}</span>
      </form>
    </Section>
  );
}

/** Removes the samples, above the list that they are in. */
export function RemoveSamples({ messages }: { readonly messages: Messages }): Markup {
  const labels = messages.frame.samples;
  return (
    <form class="row" method="post" action={local("/library/samples")}>
      <p class="quiet bar">
        {labels.here}
        <button class="link-button" type="submit" name="act" value="remove">
          {labels.remove}
        </button>
      </p>
    </form>
  );
}
