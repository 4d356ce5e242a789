/** @jsxImportSource #jsx */
import type { Database, Instant } from "../../database/database.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { PageContext } from "../../web/page.tsx";
import { Section, Title } from "../../web/sections.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { listEdits } from "../editing/edit-store.ts";
import { listTitles } from "../site-posts.ts";

/** The maximum number of lines of each list. */
const LINES = 50;

interface DeskLine {
  readonly url: SafeUrl;
  readonly title: string;
  readonly when: string;
}

/** Open working copies, drafts, scheduled and published posts. @param hasImport whether blogs can be imported */
export async function writingOverview(
  database: Database,
  { words, dates }: PageContext,
  hasImport: boolean,
): Promise<View> {
  const say = words.blog.write;
  const edits = await listEdits(database.read, { limit: LINES, offset: 0 });
  const open = new Set(edits.map(({ post }) => post));
  const drafts = (await listDrafts(database)).filter(({ id }) => !open.has(id));
  const published = await listTitles(database.read, {}, { limit: 20, offset: 0 });
  const draftLine = ({ id, title, at }: DraftRow): DeskLine => ({
    url: local("/write", { post: id }),
    title,
    when: at === undefined ? "" : dates.dayAndTime(at),
  });
  const parts: [string, string, DeskLine[]][] = [
    [
      "open",
      say.open,
      edits.map(({ key, title, updatedAt }) => ({
        url: local(`/write/${key}`),
        title,
        when: dates.dayAndTime(updatedAt),
      })),
    ],
    ["scheduled", say.scheduled, drafts.filter(({ at }) => at !== undefined).map(draftLine)],
    ["drafts", say.drafts, drafts.filter(({ at }) => at === undefined).map(draftLine)],
    [
      "published",
      say.published,
      published.map(({ id, title, publishedAt }) => ({
        url: local("/write", { post: id }),
        title,
        when: dates.shortDay(publishedAt),
      })),
    ],
  ];
  const shown = parts.filter(([, , lines]) => lines.length > 0);
  return {
    title: say.title,
    noIndex: true,
    body: (
      <>
        <Title text={say.title} />
        <div class="row part">
          <p class="bar">
            <a class="button" href={local(`/write/${crypto.randomUUID()}`)}>
              {say.fresh}
            </a>
            {hasImport && (
              <a class="button plain" href={local("/write/import")}>
                {words.blogImport.title}
              </a>
            )}
          </p>
        </div>
        {shown.length === 0 && (
          <div class="row part">
            <p class="quiet">{say.nothing}</p>
          </div>
        )}
        {shown.map(([id, title, lines]) => (
          <Section id={id} title={title}>
            <ul class="lines">{lines.map((line) => Line(line, say.untitled))}</ul>
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
  readonly at: Date | undefined;
}

async function listDrafts({ read }: Database): Promise<DraftRow[]> {
  const rows = await read<{ id: number; title: string; publish_at: Instant | null }>`
    select posts.id, title, publish_at from posts left join publications on post_id = posts.id
    where published = ${false} order by posts.id desc limit ${LINES}`;
  return rows.map(({ id, title, publish_at }) => ({
    id: Number(id),
    title,
    at: publish_at === null ? undefined : new Date(publish_at),
  }));
}
