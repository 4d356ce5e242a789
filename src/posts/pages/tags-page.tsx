/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Routes } from "../../http/endpoint.ts";
import { queryInteger } from "../../http/parameters.ts";
import { localeOf } from "../../web/date-formatter.ts";
import { local } from "../../web/urls.ts";
import { type BlogParts, mayWrite } from "../blog-parts.ts";
import { listTagCounts } from "../site-posts.ts";
import { ListHead } from "./head.tsx";
import { nothingAtPath } from "./refusals.ts";
import { tagUrl } from "./site-links.ts";
import { Paging } from "./stream.tsx";

/** The maximum number of tags on a page. */
const PAGE_SIZE = 1_000;

const query = z.object({
  page: queryInteger({ min: 1, max: 10_000, description: "The page." }).optional(),
});

/** `/tags`: the tags of published posts and links, in the order of the alphabet, with the number of their posts. */
export function tagsPage({ pages, readAccess }: BlogParts): Routes {
  const tags = pages.page({ access: readAccess, shared: true, query }, async (call) => {
    const { client, messages, site } = call;
    const order = new Intl.Collator(localeOf(site), { numeric: true });
    const all = (await listTagCounts(call.read)).sort((one, other) => order.compare(one.name, other.name));
    const { page = 1 } = call.query;
    const tags = all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    if (tags.length === 0 && page > 1) throw nothingAtPath();
    const labels = messages.blog.tags;
    const to = (other: number) => local("/tags", { page: other === 1 ? undefined : other });
    return {
      title: labels.title,
      description: messages.blog.descriptions.tags(site.name),
      layout: "reading",
      forReaders: true,
      head: <ListHead site={site} origin={client.origin} path={to(page)} />,
      body: (
        <>
          <div class="row">
            <div>
              <h1>{labels.title}</h1>
              {all.length === 0 && (
                <p class="quiet">
                  {labels.empty}
                  {mayWrite(call) && pages.hasPage("/write/{key}") && ` ${labels.first}`}
                </p>
              )}
              {tags.length > 0 && (
                <ul class="tags-of-site">
                  {tags.map(({ name, count }) => (
                    <li>
                      <a href={tagUrl(name)} dir="auto">
                        {name}
                      </a>
                      {"\u00a0"}
                      <span class="count">
                        {count} <span class="unseen">{labels.posts(count)}</span>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </div>
          <Paging
            messages={messages}
            newer={page > 1 ? to(page - 1) : undefined}
            older={all.length > page * PAGE_SIZE ? to(page + 1) : undefined}
            names={labels.paging}
          />
        </>
      ),
    };
  });
  return { "/tags": { GET: tags } };
}
