/** @jsxImportSource #jsx */
import type { Routes } from "../http/endpoint.ts";
import { assetUrl } from "../web/assets.ts";
import { DateFormatter, localeOf } from "../web/date-formatter.ts";
import type { PageCall } from "../web/page.tsx";
import { Section, Title } from "../web/sections.tsx";
import { local } from "../web/urls.ts";
import type { View } from "../web/view.ts";
import type { LibraryParts } from "./library-parts.ts";
import { listMonths } from "./months-store.ts";

export function monthsPages(library: LibraryParts): Routes {
  const { pages, readAccess: access } = library;
  return { "/library/months": { GET: pages.page({ access }, (call) => showMonths(library, call)) } };
}

/** `GET /library/months`: how many links were saved in each month, each a link to these. */
async function showMonths({ search }: LibraryParts, call: PageCall): Promise<View> {
  const { messages, dates, site } = call;
  const labels = messages.library.months;
  const months = await search.apart((sql) => listMonths(sql, dates));
  const years = [...Map.groupBy(months, ({ month }) => month.slice(0, 4))];
  // A month without a time.
  const utc = new DateFormatter(localeOf(site), "UTC");
  return {
    title: labels.title,
    layout: "wide",
    head: <link rel="stylesheet" href={assetUrl("library-more.css")} />,
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
