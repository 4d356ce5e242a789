/** @jsxImportSource #jsx */

import { isReadable } from "../../text.ts";
import { SearchField } from "../../web/forms/search-field.tsx";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";
import { noticeOf } from "../../web/notices.ts";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { Paging } from "../pages/stream.tsx";
import { findPostOrDraft } from "../post-store.ts";
import { shownTitle } from "../shown-title.ts";
import { DRAFT_LISTS, type DraftList, type DraftRow, listDrafts } from "./draft-lists.ts";
import { KeptTexts } from "./kept-texts.tsx";

/** The lines of each list on the page of all, and of a list on its own page. */
const SHOWN = 20;
const PER_PAGE = 50;
/** The words of a search that count. */
const WORDS_MAX = 10;

/** What *Write* shows: all lists, or one of them; of everything, or of what has some words. */
export interface DeskQuery {
  readonly q?: string | undefined;
  readonly list?: DraftList | undefined;
  readonly page: number;
}

/** Drafts, unpublished changes of posts, scheduled and published posts. @param hasImport whether blogs can be imported */
export async function writingOverview(
  context: PageContext,
  { q = "", list, page }: DeskQuery,
  hasImport: boolean,
): Promise<View> {
  const { messages, dates } = context;
  const labels = messages.blog.write;
  const words = q.split(/\s+/).filter(Boolean).slice(0, WORDS_MAX);
  const size = list === undefined ? SHOWN : PER_PAGE;
  const offset = list === undefined ? 0 : (page - 1) * PER_PAGE;
  const query = q.trim() === "" ? undefined : q;
  const parts = [];
  for (const id of list === undefined ? DRAFT_LISTS : [list]) {
    const rows = await listDrafts(context.read, id, { words, limit: size + 1, offset });
    parts.push({ id, rows: rows.slice(0, size), hasMore: rows.length > size });
  }
  const shown = parts.filter(({ rows }) => rows.length > 0);
  const pageUrl = (number: number) =>
    local("/write", { list, q: query, page: number === 1 ? undefined : number });
  return {
    title: list === undefined ? labels.title : `${labels.lists[list]} · ${labels.title}`,
    noIndex: true,
    scripts: ["kept-texts.js"],
    ...(await scheduledNotice(context)),
    body: (
      <>
        <Title text={labels.title} />
        <div class="row part">
          <div class="stack">
            <p class="bar">
              <a class="button" href={local(`/write/${crypto.randomUUID()}`)}>
                {labels.fresh}
              </a>
              <a class="button plain" href={local("/write/new", { kind: "page" })}>
                {labels.freshPage}
              </a>
              {hasImport && (
                <a class="button plain" href={local("/write/import")}>
                  {messages.blogImport.title}
                </a>
              )}
            </p>
            <SearchForm messages={messages} q={query} />
            <KeptTexts messages={messages} timeZone={dates.timeZone} />
            {(query !== undefined || list !== undefined) && (
              <p>
                <a href={local("/write")}>{labels.all}</a>
              </p>
            )}
            {shown.length === 0 && (
              <p class="quiet">{query === undefined ? labels.nothing : labels.notFound(query)}</p>
            )}
          </div>
        </div>
        {shown.map(({ id, rows, hasMore }) => (
          <Section id={id} title={labels.lists[id]}>
            {labels.hints[id] !== undefined && <p class="quiet">{labels.hints[id]}</p>}
            <ul class="lines">
              {rows.map((row) => (
                <Line row={row} rows={rows} list={id} context={context} />
              ))}
            </ul>
            {list === undefined && hasMore && (
              <p>
                <a href={local("/write", { list: id, q: query })}>{labels.allOf[id]}</a>
              </p>
            )}
          </Section>
        ))}
        {list !== undefined && (
          <Paging
            messages={messages}
            newer={page > 1 ? pageUrl(page - 1) : undefined}
            older={parts[0]?.hasMore ? pageUrl(page + 1) : undefined}
            names={labels.paging}
          />
        )}
        <div class="row part">
          <p>
            <a href={local("/library/removed")}>{messages.library.otherPages.removed}</a>
          </p>
        </div>
      </>
    ),
  };
}

/** The notice about a post that was just scheduled names the time. */
async function scheduledNotice({
  request,
  read,
  messages,
  dates,
}: PageContext): Promise<Pick<View, "notice">> {
  const notice = noticeOf(request, messages.notices);
  if (notice?.code !== "post-scheduled") return {};
  const post = await findPostOrDraft(read, Number(notice.about) || 0);
  if (post === undefined || post.publishAt === null) return {};
  const { scheduledFor } = messages.blog.write;
  return {
    notice: <>{scheduledFor(shownTitle(post.title), dates.dayAndTime(post.publishAt), dates.timeZone)}</>,
  };
}

function SearchForm({
  messages,
  q,
}: {
  readonly messages: Messages;
  readonly q: string | undefined;
}): Markup {
  const { find } = messages.blog.write;
  return (
    <search>
      <form class="find" method="get" action={local("/write")}>
        <SearchField q={q} label={find} submit={messages.blog.archive.submit} />
      </form>
    </search>
  );
}

function Line({
  row: { key, post, title, at },
  rows,
  list,
  context: { messages, dates },
}: {
  readonly row: DraftRow;
  /** All of the list: a text may have several drafts, begun in different tabs or kept after a conflict. */
  readonly rows: readonly DraftRow[];
  readonly list: DraftList;
  readonly context: Pick<PageContext, "messages" | "dates">;
}): Markup {
  const isAlike = (other: DraftRow) =>
    other.post === post && (post !== undefined || (isReadable(title) && other.title === title));
  const drafts = rows.filter(isAlike);
  const n = 1 + drafts.findIndex((other) => other.key === key);
  return (
    <li class="bar apart">
      <a
        class="entry"
        href={key === undefined ? local("/write", { post: post ?? 0 }) : local(`/write/${key}`)}
        dir="auto"
      >
        {shownTitle(title)}
        {drafts.length > 1 && (
          <>
            {" "}
            <span class="quiet">({messages.blog.write.draftOf(n, drafts.length)})</span>
          </>
        )}
      </a>{" "}
      <span class="quiet when">
        {list === "published" || list === "pages" ? dates.shortDay(at) : dates.dayAndTime(at)}
      </span>
    </li>
  );
}
