/** @jsxImportSource #jsx */
import type { Database, Instant } from "../../database/database.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { Edit } from "../editing/edit.ts";
import { listEdits } from "../editing/edit-store.ts";
import { listPages, listTitles, type SitePost } from "../site-posts.ts";

/** The maximum number of lines of each list. */
const LINES = 50;

interface DeskLine {
  readonly url: SafeUrl;
  readonly title: string;
  readonly when: string;
}

interface DeskPart {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly lines: readonly DeskLine[];
}

/**
 * Drafts, unpublished changes of posts, scheduled and published posts. A working copy of something unpublished and a
 * draft without one are both drafts. @param hasImport whether blogs can be imported */
export async function writingOverview(
  database: Database,
  { messages, dates }: PageContext,
  hasImport: boolean,
): Promise<View> {
  const labels = messages.blog.write;
  const edits = await listEdits(database.read, { limit: LINES, offset: 0 });
  const open = new Set(edits.map(({ post }) => post));
  const ofPublished = await publishedAmong(
    database,
    edits.flatMap(({ post }) => post ?? []),
  );
  const changesOf = ({ post }: Edit) => post !== null && ofPublished.has(post);
  const drafts = (await listDrafts(database)).filter(({ id }) => !open.has(id));
  const published = await listTitles(database.read, {}, { limit: 20, offset: 0 });
  const editLine = ({ key, title, updatedAt }: Edit): DeskLine => ({
    url: local(`/write/${key}`),
    title,
    when: dates.dayAndTime(updatedAt),
  });
  const draftLine = ({ id, title, at, updatedAt }: DraftRow): DeskLine => ({
    url: local("/write", { post: id }),
    title,
    when: dates.dayAndTime(at ?? updatedAt),
  });
  const publishedLine = ({ id, title, publishedAt }: SitePost): DeskLine => ({
    url: local("/write", { post: id }),
    title,
    when: dates.shortDay(publishedAt),
  });
  const parts: DeskPart[] = [
    {
      id: "drafts",
      title: labels.drafts,
      hint: labels.draftsHint,
      lines: [
        ...edits.filter((edit) => !changesOf(edit)).map(editLine),
        ...drafts.filter(({ at }) => at === undefined).map(draftLine),
      ],
    },
    {
      id: "changes",
      title: labels.changes,
      hint: labels.changesHint,
      lines: edits.filter(changesOf).map(editLine),
    },
    {
      id: "scheduled",
      title: labels.scheduled,
      lines: drafts.filter(({ at }) => at !== undefined).map(draftLine),
    },
    {
      id: "published",
      title: labels.published,
      lines: published.map(publishedLine),
    },
    {
      id: "pages",
      title: labels.staticPages,
      lines: (await listPages(database.read)).map(publishedLine),
    },
  ];
  const hasTimes = parts.some(({ id, lines }) => id !== "published" && id !== "pages" && lines.length > 0);
  const shown = parts.filter(({ lines }) => lines.length > 0);
  return {
    title: labels.title,
    noIndex: true,
    body: (
      <>
        <Title text={labels.title} state={hasTimes ? messages.blog.times(dates.timeZone) : undefined} />
        <div class="row part">
          <p class="bar">
            <a class="button" href={local(`/write/${crypto.randomUUID()}`)}>
              {labels.fresh}
            </a>
            {hasImport && (
              <a class="button plain" href={local("/write/import")}>
                {messages.blogImport.title}
              </a>
            )}
          </p>
        </div>
        {shown.length === 0 && (
          <div class="row part">
            <p class="quiet">{labels.nothing}</p>
          </div>
        )}
        {shown.map(({ id, title, hint, lines }) => (
          <Section id={id} title={title}>
            {hint !== undefined && <p class="quiet">{hint}</p>}
            <ul class="lines">{lines.map((line) => Line(line, labels.untitled))}</ul>
          </Section>
        ))}
      </>
    ),
  };
}

function Line({ url, title, when }: DeskLine, untitled: string): Markup {
  return (
    <li class="bar apart">
      <a class="entry" href={url} dir="auto">
        {title.trim() === "" ? untitled : title}
      </a>{" "}
      <span class="quiet when">{when}</span>
    </li>
  );
}

interface DraftRow {
  readonly id: number;
  readonly title: string;
  /** When it publishes itself. */
  readonly at: Date | undefined;
  readonly updatedAt: Date;
}

/** Those of the given posts that are published. */
async function publishedAmong({ read }: Database, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await read<{ id: number }>`
    select id from posts where id in ${ids} and published = ${true}`;
  return new Set(rows.map(({ id }) => Number(id)));
}

async function listDrafts({ read }: Database): Promise<DraftRow[]> {
  const rows = await read<{ id: number; title: string; publish_at: Instant | null; updated_at: Instant }>`
    select posts.id, title, publish_at, posts.updated_at from posts left join publications on post_id = posts.id
    where published = ${false} order by posts.id desc limit ${LINES}`;
  return rows.map(({ id, title, publish_at, updated_at }) => ({
    id: Number(id),
    title,
    at: publish_at === null ? undefined : new Date(publish_at),
    updatedAt: new Date(updated_at),
  }));
}
