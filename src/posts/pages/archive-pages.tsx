/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Routes } from "../../http/endpoint.ts";
import { queryInteger } from "../../http/parameters.ts";
import type { Markup } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Messages } from "../../web/messages/en.ts";
import type { PageContext } from "../../web/page.tsx";
import { local } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { instantOf, yearOf } from "../../zoned-time.ts";
import type { BlogParts } from "../blog-parts.ts";
import { countStream, listTitles, type SitePost, streamRange } from "../site-posts.ts";
import { ListHead } from "./head.tsx";
import { postUrl } from "./site-links.ts";
import { SiteSearchForm } from "./site-search-form.tsx";
import { Paging } from "./stream.tsx";

/** The maximum number of titles on a page. */
const PAGE_SIZE = 1_000;

const query = z.object({
  page: queryInteger({ min: 1, max: 10_000, description: "The page." }).optional(),
});

/** `/archive`: the newest year, and `/archive/{year}`. Years and months are those of the site's time zone. */
export function archivePages({ pages, readAccess }: BlogParts): Routes {
  const newest = pages.page({ access: readAccess, shared: true, query }, (call) =>
    view(call, undefined, call.query.page ?? 1),
  );

  const year = pages.page(
    { access: readAccess, shared: true, query, params: z.object({ year: z.string().regex(/^\d{4}$/) }) },
    (call) => view(call, Number(call.params.year), call.query.page ?? 1),
  );

  async function view(
    { client, read, messages, dates, site }: PageContext & { readonly client: { readonly origin: string } },
    wanted: number | undefined,
    page: number,
  ): Promise<View> {
    const years = await yearsWithPosts(read, site.timeZone);
    const current = wanted ?? years[0]?.year;
    const isEmptyYear = wanted !== undefined && !years.some((one) => one.year === wanted);
    const found =
      current === undefined || isEmptyYear
        ? []
        : await listTitles(read, yearRange(current, site.timeZone), {
            limit: PAGE_SIZE + 1,
            offset: (page - 1) * PAGE_SIZE,
          });
    if (found.length === 0 && page > 1) throw new Refusal("not_found", "Nothing exists at this path.");
    const posts = found.slice(0, PAGE_SIZE);
    const title =
      current === undefined ? messages.blog.archive.title : `${messages.blog.archive.title} · ${current}`;
    const path = wanted === undefined ? "/archive" : (`/archive/${wanted}` as const);
    const to = (other: number) => local(path, { page: other === 1 ? undefined : other });
    return {
      title,
      ...(isEmptyYear
        ? { status: 404, noIndex: true }
        : { description: messages.blog.descriptions.archive(site.name, current) }),
      layout: "reading",
      forReaders: true,
      head: <ListHead site={site} origin={client.origin} path={to(page)} />,
      body: (
        <>
          <div class="row">
            <div>
              <h1>{title}</h1>
              <SiteSearchForm messages={messages} />
              {isEmptyYear && years.length > 0 && (
                <p class="quiet">{messages.blog.archive.emptyYear(wanted)}</p>
              )}
              <Years years={years} current={current} messages={messages} />
              {years.length === 0 && <p class="quiet">{messages.blog.archive.empty}</p>}
            </div>
          </div>
          {[...Map.groupBy(posts, ({ publishedAt }) => dates.isoDay(publishedAt).slice(0, 7))].map(
            ([month, ofMonth]) => (
              <Month posts={ofMonth} month={month} {...{ dates, messages, site }} />
            ),
          )}
          <Paging
            messages={messages}
            newer={page > 1 ? to(page - 1) : undefined}
            older={found.length > PAGE_SIZE ? to(page + 1) : undefined}
          />
        </>
      ),
    };
  }

  /** The years with posts, newest first. */
  async function yearsWithPosts(read: Sql, timeZone: string): Promise<{ year: number; count: number }[]> {
    const range = await streamRange(read);
    if (range === undefined) return [];
    const [last, first] = [yearOf(range.last, timeZone), yearOf(range.first, timeZone)];
    const all = Array.from({ length: last - first + 1 }, (_, index) => last - index);
    const counted = await Promise.all(
      all.map(async (year) => ({
        year,
        count: await countStream(read, yearRange(year, timeZone)),
      })),
    );
    return counted.filter(({ count }) => count > 0);
  }

  return {
    "/archive": { GET: newest },
    "/archive/{year}": { GET: year },
  };
}

function yearRange(year: number, timeZone: string): { from: Date; before: Date } {
  return {
    from: instantOf({ year, month: 1 }, timeZone),
    before: instantOf({ year: year + 1, month: 1 }, timeZone),
  };
}

function Years({
  years,
  current,
  messages,
}: {
  readonly years: readonly { readonly year: number; readonly count: number }[];
  readonly current: number | undefined;
  readonly messages: Messages;
}): Markup | null {
  if (years.every(({ year }) => year === current)) return null;
  return (
    <nav class="state" aria-label={messages.blog.archive.years}>
      {years.map(({ year, count }) => (
        <a href={local(`/archive/${year}`)} aria-current={year === current ? "page" : undefined}>
          {year} ({count})
        </a>
      ))}
    </nav>
  );
}

function Month({
  posts,
  month,
  dates,
  messages,
  site,
}: {
  readonly posts: readonly SitePost[];
  readonly month: string;
} & Pick<PageContext, "dates" | "messages" | "site">): Markup {
  const id = `m${month}`;
  const [first] = posts;
  return (
    <section class="row part" aria-labelledby={id}>
      <h2 class="margin" id={id}>
        {first === undefined ? month : dates.month(first.publishedAt)}
      </h2>
      <div>
        <ol class="index">
          {posts.map((post) => (
            <li>
              <time datetime={dates.isoDay(post.publishedAt)}>
                {Number(dates.isoDay(post.publishedAt).slice(8))}
              </time>
              <a href={postUrl(post)} lang={languageOf(site, messages, post.language)} dir="auto">
                {post.title}
              </a>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
