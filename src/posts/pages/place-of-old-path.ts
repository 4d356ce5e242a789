import type { Sql } from "../../database/database.ts";
import { slugFrom } from "../../records/slug.ts";
import { isTagName, tagKey } from "../../tags/tag-name.ts";
import { local, type SafeUrl } from "../../web/urls.ts";
import { listAuthors } from "../authors.ts";
import { listTitles, type StreamFilter } from "../site-posts.ts";
import type { OldPath } from "./old-paths.ts";
import { postByFormerPath } from "./posts-by-path.ts";
import { authorUrl, commentFeedUrl, tagUrl } from "./site-links.ts";
import { PAGE_SIZE } from "./stream-view.tsx";

/** Where the same is here; undefined if there is nothing of the kind, such as no post with the tag. */
export async function placeOfOldPath(sql: Sql, { of, feed, page }: OldPath): Promise<SafeUrl | undefined> {
  switch (of.kind) {
    case "front":
      return feed === undefined ? pageOf("/", {}) : local(`/feed.${feed}`);
    case "archive":
      return local("/archive");
    case "tag": {
      if (!isTagName(of.name)) return undefined;
      const path = tagUrl(of.name) as `/${string}`;
      const list = await pageOf(path, { tag: tagKey(of.name) });
      return feed === undefined || list === undefined ? list : local(`${path}/feed.${feed}` as `/${string}`);
    }
    case "year": {
      const path = `/archive/${of.year}` as const;
      const [from, before] = [new Date(Date.UTC(of.year)), new Date(Date.UTC(of.year + 1))];
      return (await hasPosts({ from, before }, 0)) ? local(path) : undefined;
    }
    case "post": {
      const post = await postByFormerPath(sql, of.name);
      return post === undefined || post.kind === "page" ? undefined : commentFeedUrl(post);
    }
    case "author": {
      const slug = slugFrom(of.name) || of.name;
      const author = (await listAuthors(sql)).find((one) => one.slug === of.name || one.slug === slug);
      if (author === undefined) return undefined;
      const path = authorUrl(author);
      return feed === undefined
        ? pageOf(path, { author: author.id })
        : local(`${path}/feed.${feed}` as `/${string}`);
    }
  }

  async function pageOf(path: `/${string}`, filter: StreamFilter): Promise<SafeUrl | undefined> {
    const isThere = await hasPosts(filter, (page - 1) * PAGE_SIZE);
    return isThere || (path === "/" && page === 1)
      ? local(path, { page: page === 1 ? undefined : page })
      : undefined;
  }

  async function hasPosts(filter: StreamFilter, offset: number): Promise<boolean> {
    return (await listTitles(sql, filter, { limit: 1, offset })).length > 0;
  }
}
