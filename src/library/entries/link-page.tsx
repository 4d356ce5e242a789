/** @jsxImportSource #jsx */

import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import { listChangesOf } from "../../changes/change-store.ts";
import type { Routes } from "../../http/endpoint.ts";
import { readDescription } from "../../tags/description-tags.ts";
import { assetUrl } from "../../web/assets.ts";
import { BackField } from "../../web/forms/back.tsx";
import { FormState } from "../../web/forms/form-state.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section } from "../../web/sections.tsx";
import { local, segment, web } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { CopiesSection } from "../copies/copies-section.tsx";
import { copyForms } from "../copies/copy-forms.ts";
import { fetchesPages } from "../copies/fetches-pages.ts";
import { copiesOfLink } from "../copies/link-copies.ts";
import type { LibraryParts } from "../library-parts.ts";
import { mayKeepCopies, mayPublish } from "../may-write.ts";
import { CitedIn } from "./cited-in.tsx";
import { EntryParams, existing } from "./edit-page.tsx";
import { Heads } from "./entry.tsx";
import { saidChange } from "./said-change.ts";
import { displayTitle } from "./shown-text.ts";
import { withUndoOfLinks } from "./undo-notice.tsx";

const TAGS_MAX = 200;
const CHANGES_MAX = 20;

/** The page of a link. It shows the posts that cite it. */
export function linkPages(library: LibraryParts): Routes {
  const { pages, writeAccess: access } = library;
  return {
    "/library/{id}": {
      GET: pages.page({ access, params: EntryParams }, (call) =>
        showLink(library, call, call.params.id, FormState.of()),
      ),
    },
    ...copyForms(library, (context, id, form) => showLink(library, context, id, form)),
  };
}

/**
 * `GET /library/{id}`: all about one link, and what can be done to it.
 * @param form for a page that is to be kept
 */
async function showLink(
  dependencies: LibraryParts,
  call: PageContext,
  id: number | bigint,
  form: FormState,
): Promise<View> {
  const { messages, dates } = call;
  const { database, findPostsLinkingTo, copyParts } = dependencies;
  const entry = await existing(database, id);
  const [citations, changes, copies, mayKeep] = await Promise.all([
    findPostsLinkingTo?.(entry.url),
    listChangesOf(database.read, "bookmark", entry.id, database.clock.now(), CHANGES_MAX),
    (await mayReadCopies(dependencies, call)) ? copiesOfLink(copyParts, database.read, entry.id) : undefined,
    mayKeepCopies(dependencies, call),
  ]);
  const read = copies?.newestFirst.find((copy) => copy.id === copies.readId);
  const labels = messages.library;
  const name = displayTitle(entry);
  const { text: note, tags } = readDescription(entry.description);
  const here = local(`/library/${entry.id}`);
  const to = (page: "edit" | "publish") => local(`/library/${entry.id}/${page}`, { back: here });
  const act = (action: "read" | "unread" | "archive" | "unarchive") => (
    <button class="link-button" type="submit" name="act" value={`${action}-${entry.id}`}>
      {labels.bulk[action]}
    </button>
  );
  return withUndoOfLinks(dependencies, call, {
    title: name,
    ...(copies && {
      head: <link rel="stylesheet" href={assetUrl("library-more.css")} />,
      scripts: copies.isWaiting ? ["running-job.js"] : [],
    }),
    body: (
      <>
        <article class="row">
          <p class="margin said">
            <span>{labels.form.added}</span> <span>{dates.day(entry.createdAt)}</span>{" "}
            <span>
              {dates.time(entry.createdAt)}, {dates.timeZone}
            </span>
          </p>
          <div class="stack">
            <h1 dir="auto">{name}</h1>
            <p class="heads">
              <a href={web(entry.url)} rel="noreferrer">
                {entry.url}
              </a>
            </p>
            <Heads
              entry={entry}
              tags={tags}
              most={TAGS_MAX}
              context={{ messages, dates, mayWrite: true, isByDay: true, density: "full" }}
            />
            {note !== "" && (
              <p class="says" dir="auto">
                {note}
              </p>
            )}
            <form class="bar" method="post" action={local("/library/later")}>
              <BackField back={here} />
              <a class="link-button" href={web(entry.url)} rel="noreferrer">
                {labels.one.open}
              </a>
              {read !== undefined && read.words > 0 && (
                <a class="link-button" href={local(`/library/${entry.id}/read`)}>
                  {messages.copies.read}
                </a>
              )}
              {act(entry.unread ? "read" : "unread")}
              {act(entry.archived ? "unarchive" : "archive")}
              <a class="link-button" href={to("edit")}>
                {labels.edit}
              </a>
              {mayPublish(dependencies, call) && (
                <a class="link-button" href={to("publish")}>
                  {labels.publish}
                </a>
              )}
              <button
                class="link-button alarm"
                type="submit"
                formaction={local(`/library/${entry.id}/remove`)}
              >
                {labels.remove}
              </button>
            </form>
          </div>
        </article>
        {copies && (
          <CopiesSection
            link={entry}
            copies={copies}
            mayKeep={mayKeep}
            fetches={fetchesPages(dependencies, call)}
            form={form}
            context={call}
          />
        )}
        {citations && <CitedIn citations={citations} messages={messages} dates={dates} />}
        {changes.length > 0 && (
          <Section title={labels.one.changes}>
            <ul class="lines">
              {changes.map((change) => (
                <li class="bar apart">
                  <span>
                    <bdi>{saidChange(change, messages)}</bdi>
                    {change.records > 1 && labels.one.alsoOf(change.records - 1)}{" "}
                    <span class="quiet">{dates.dayAndTime(change.createdAt)}</span>
                  </span>
                  {change.version === entry.version ? (
                    <form method="post" action={local(`/library/undo/${segment(change.key)}`)}>
                      <BackField back={here} />
                      <button class="link-button" type="submit">
                        {change.records > 1 ? labels.one.undoAll(change.records) : labels.undo}
                      </button>
                    </form>
                  ) : (
                    <span class="quiet">{labels.one.sinceThen}</span>
                  )}
                </li>
              ))}
            </ul>
            <p class="quiet">{labels.one.kept}</p>
          </Section>
        )}
      </>
    ),
  });
}
