/** @jsxImportSource #jsx */
import { z } from "zod";
import { type Change, changeRowsAfter, findChange } from "../changes/change-store.ts";
import type { Undone } from "../changes/undo.ts";
import type { Sql } from "../database/database.ts";
import type { Routes } from "../http/endpoint.ts";
import { findMarks } from "../marks/mark-store.ts";
import { nameOf as nameOfKind, UNDOABLE } from "../nouns.ts";
import { findComment } from "../posts/comments/comment-store.ts";
import { shownTitle } from "../posts/shown-title.ts";
import { listRemoved, type Removed, type RemovedPosition } from "../undo/removed.ts";
import { restoreRemoved, undoChange } from "../undo/undo.ts";
import type { UndoParts } from "../undo/undo-api.ts";
import { BackQuery } from "../web/forms/back.tsx";
import { FormNumber } from "../web/forms/form-number.ts";
import type { Markup } from "../web/jsx/preact.js";
import type { Messages } from "../web/messages/en.ts";
import { noticeOf } from "../web/notices.ts";
import type { PageContext, Pages } from "../web/page.tsx";
import { Title } from "../web/sections.tsx";
import { truncateAtWord } from "../web/truncate.ts";
import { local, localTarget, type SafeUrl, web } from "../web/urls.ts";
import { seeOther, type View } from "../web/view.ts";
import { displayHost, displayTitle } from "./entries/shown-text.ts";
import { PageLinks } from "./page-links.tsx";
import { backToLibrary } from "./search/view-url.ts";

const REMOVED_PER_PAGE = 50;
/** How many of those that were kept are named. */
const KEPT_MAX = 200;
/** The maximum number of characters of a comment or a mark. */
const WORDS_MAX = 120;

const RemovedQuery = z.object({ before: z.string().optional() });
const UndoParams = z.object({ key: z.string() });
/** The record to restore, by the button of its kind. */
const RestoreForm = z.object(Object.fromEntries(UNDOABLE.map(({ kind }) => [kind, FormNumber.optional()])));

/** What was removed and can be restored, and *Undo* in the notices of all pages. */
export function removedPages(pages: Pages, { database, access }: UndoParts): Routes {
  const rule = access.rule;

  /** Shows what changed since and was not restored. */
  const undo = pages.page({ access: rule, params: UndoParams, body: BackQuery }, async (call) => {
    const { params, body, client } = call;
    const { permit } = await access.of(call);
    const now = database.clock.now();
    const change = await findChange(database.read, params.key, now);
    const first = change && (await firstOf(database.read, change));
    const undone = await undoChange(database, params.key, now, permit);
    if (undone.kept.length > 0) return keptView(call, change?.record ?? "bookmark", undone);
    const back =
      change?.record === "post"
        ? local("/write")
        : change?.record === "comment"
          ? local("/moderation")
          : backToLibrary(body.back, change?.record === "mark" ? undefined : first);
    const code = undone.changed === 0 ? "nothing-changed" : "change-undone";
    return seeOther(back, { scheme: client.scheme, notice: { code } });
  });

  const show = pages.page({ access: rule, query: RemovedQuery }, async (call) => {
    const { records } = await access.of(call);
    const position = positionOf(call.query.before);
    const view = removedView(
      call,
      await listRemoved(database.read, records, database.clock.now(), REMOVED_PER_PAGE + 1, position),
    );
    const place = await placeOfRestored(call, records);
    if (place === undefined) return view;
    const { notices, library } = call.messages;
    const notice = (
      <>
        {notices.restored} <a href={place}>{library.removal.showRestored}</a>
      </>
    );
    return { ...view, notice };
  });

  const restore = pages.page({ access: rule, body: RestoreForm }, async (call) => {
    const { permit } = await access.of(call);
    let changed = 0;
    let about: string | undefined;
    for (const { kind: record } of UNDOABLE) {
      const id = call.body[record];
      if (id === undefined) continue;
      permit(record);
      changed += await restoreRemoved(database, record, [id], database.clock.now());
      about = `${record}-${id}`;
    }
    return seeOther(local("/library/removed"), {
      scheme: call.client.scheme,
      notice: changed > 0 ? { code: "restored", about } : { code: "nothing-changed" },
    });
  });

  return {
    "/library/removed": { GET: show, POST: restore },
    "/library/undo/{key}": { POST: undo },
  };
}

/** Where the record is that was just restored; undefined unless one was. @param records the kinds that the caller may change */
async function placeOfRestored(
  { request, messages, read }: PageContext,
  records: readonly string[],
): Promise<SafeUrl | undefined> {
  const { code, about = "" } = noticeOf(request, messages.notices) ?? {};
  const [, record, id = ""] = /^(bookmark|post|comment|mark)-(\d{1,15})$/.exec(about) ?? [];
  if (code !== "restored" || record === undefined || !records.includes(record)) return undefined;
  if (record === "bookmark") return local(`/library/${Number(id)}`);
  if (record === "post") return local("/write", { post: Number(id) });
  if (record === "mark") {
    const mark = (await findMarks(read, [Number(id)])).get(Number(id));
    return mark && local(`/library/${mark.bookmarkId}`);
  }
  const status = (await findComment(read, Number(id)))?.status;
  return local("/moderation", { status: status === "waiting" ? undefined : status });
}

/** The id of a record that a change was about. */
async function firstOf(read: Sql, { id, record }: Change): Promise<number | undefined> {
  const [row] = await changeRowsAfter(read, id, record, 0, 1);
  return row?.id;
}

function keptView({ messages }: PageContext, record: Change["record"], { changed, kept }: Undone): View {
  const labels = messages.library.undone;
  const isPart = record === "comment" || record === "mark";
  return {
    title: labels.title,
    body: (
      <>
        <Title text={labels.title}>
          {record === "comment"
            ? labels.introOfComments(changed)
            : record === "mark"
              ? labels.introOfMarks(changed)
              : labels.intro(changed)}
        </Title>
        <div class="row part">
          <ul class="lines">
            {kept.slice(0, KEPT_MAX).map((one) => (
              <li>
                <a
                  href={
                    isPart
                      ? localTarget(one.url, local("/moderation"))
                      : record === "post"
                        ? local("/write", { post: one.id })
                        : local(`/library/${one.id}`)
                  }
                  dir="auto"
                >
                  {isPart
                    ? truncateAtWord(one.title, WORDS_MAX)
                    : record === "post"
                      ? one.title
                      : displayTitle(one)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </>
    ),
  };
}

function removedView({ messages, dates }: PageContext, found: readonly Removed[]): View {
  const removed = found.slice(0, REMOVED_PER_PAGE);
  const last = found.length > REMOVED_PER_PAGE ? removed.at(-1) : undefined;
  const labels = messages.library.removal;
  return {
    title: labels.removedTitle,
    layout: "wide",
    noIndex: true,
    body: (
      <>
        <Title text={labels.removedTitle}>{removed.length === 0 ? labels.none : labels.removedIntro}</Title>
        {removed.length > 0 && (
          <form class="row part" method="post" action={local("/library/removed")}>
            <ul class="lines">
              {removed.map((one) => (
                <li class="bar apart">
                  <span>
                    <Name removed={one} messages={messages} />{" "}
                    <span class="host">
                      {aboutOf(one, messages)} · {labels.removedOn(dates.shortDay(one.removedAt))}
                    </span>
                  </span>
                  {isWithoutWhole(one) ? (
                    <span class="quiet">{one.mark ? labels.withoutLink : labels.withoutPost}</span>
                  ) : (
                    <button class="link-button" type="submit" name={one.record} value={String(one.id)}>
                      {labels.restore}
                      <span class="unseen"> {nameOf(one, messages)}</span>
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </form>
        )}
        <PageLinks
          next={last && local("/library/removed", { before: `${last.change}.${last.id}` })}
          messages={messages}
        />
      </>
    ),
  };
}

/** Whether that which it is a part of is gone. */
function isWithoutWhole({ comment, mark }: Removed): boolean {
  const part = comment ?? mark;
  return part !== undefined && part.on === undefined;
}

/** What it was: a link, a text, or the beginning of a comment or a mark. */
function Name({ removed, messages }: { readonly removed: Removed; readonly messages: Messages }): Markup {
  if (removed.url !== undefined)
    return (
      <a href={web(removed.url)} rel="noreferrer" dir="auto">
        {nameOf(removed, messages)}
      </a>
    );
  const words = removed.comment?.text ?? removed.mark?.quote;
  return <bdi>{words === undefined ? shownTitle(removed.title) : truncateAtWord(words, WORDS_MAX)}</bdi>;
}

/** Where it was. */
function aboutOf(removed: Removed, messages: Messages): string {
  const labels = messages.library.removal;
  const { record, url, comment, mark } = removed;
  if (url !== undefined) return displayHost(url);
  if (mark !== undefined) return labels.mark(mark.on);
  if (comment !== undefined) return labels.comment(comment.author, comment.on);
  return record === "post" ? labels.draft : nameOfKind(record);
}

function nameOf(removed: Removed, messages: Messages): string {
  const { title, url, comment, mark } = removed;
  const labels = messages.library.removal;
  if (url !== undefined) return displayTitle({ title, url });
  if (mark !== undefined) return `${labels.mark(mark.on)}: ${truncateAtWord(mark.quote, WORDS_MAX)}`;
  return comment === undefined ? shownTitle(title) : labels.comment(comment.author, comment.on);
}

function positionOf(text: string | undefined): RemovedPosition | undefined {
  const [, change, id] = /^(\d{1,15})\.(\d{1,15})$/.exec(text ?? "") ?? [];
  return change === undefined ? undefined : { change: Number(change), id: Number(id) };
}
