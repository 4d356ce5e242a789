/** @jsxImportSource #jsx */
import type { Sql } from "../database/database.ts";
import { type Fragment, fragment } from "../database/fragment.ts";
import { DateFormatter, localeOf } from "../web/date-formatter.ts";
import type { PageCall } from "../web/page.tsx";
import { Section, Title } from "../web/sections.tsx";
import { local } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import type { LibraryDependencies } from "./library-dependencies.ts";

/** A month, `YYYY-MM` in UTC, with the number of bookmarks that were saved in it. */
interface Month {
  readonly month: string;
  readonly count: number;
}

/** `GET /library/months`: how many links were saved in each month, each a link to these. */
export async function showMonths({ search }: LibraryDependencies, call: PageCall): Promise<View> {
  const { messages, site } = call;
  const labels = messages.library.months;
  const months = await search.apart(listMonths);
  const years = [...Map.groupBy(months, ({ month }) => month.slice(0, 4))];
  // Days of a search are in UTC.
  const utc = new DateFormatter(localeOf(site), "UTC");
  return {
    title: labels.title,
    layout: "wide",
    body: (
      <>
        <Title text={labels.title}>{months.length === 0 ? messages.library.empty.none : labels.intro}</Title>
        {years.map(([year, ofYear]) => (
          <Section title={year}>
            <ul class="by-month">
              {ofYear.map(({ month, count }) => (
                <li>
                  <a href={local("/library", { q: `on:${month}` })}>{utc.month(new Date(month))}</a>{" "}
                  <span class="count">{count.toLocaleString("en")}</span>
                </li>
              ))}
            </ul>
          </Section>
        ))}
      </>
    ),
  };
}

const MONTH: Readonly<Record<Sql["engine"], Fragment>> = {
  sqlite: fragment`strftime('%Y-%m', created_at / 1000, 'unixepoch')`,
  postgres: fragment`to_char(created_at at time zone 'UTC', 'YYYY-MM')`,
};

/** The months with bookmarks, the newest first. Reads all bookmarks, so it is read apart. */
async function listMonths(sql: Sql): Promise<Month[]> {
  const rows = await sql<{ month: string; count: number }>`
    select ${MONTH[sql.engine]} as month, count(*) as count from bookmarks group by 1 order by 1 desc`;
  return rows.map(({ month, count }) => ({ month, count: Number(count) }));
}
