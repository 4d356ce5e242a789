import type { UnroutedPage } from "../../http/dispatch.ts";
import { mergeRoutes, type Page, type Routes } from "../../http/endpoint.ts";
import type { BlogParts } from "../blog-parts.ts";
import { commentFeedPages } from "../comments/pages/comment-feed-page.tsx";
import { commentPages } from "../comments/pages/comment-pages.tsx";
import { moderationPages } from "../comments/pages/moderation-pages.ts";
import { discoveryPages } from "../feeds/discovery-pages.ts";
import { feedPages } from "../feeds/feed-pages.ts";
import { writingPages } from "../writing/writing-pages.ts";
import { archivePages } from "./archive-pages.tsx";
import { lookPages } from "./look-pages.tsx";
import { readingPages } from "./reading-pages.tsx";
import { searchPage } from "./search-page.tsx";
import { tagsPage } from "./tags-page.tsx";

/** The pages of the blog, for its readers and its writers. */
export interface BlogPages {
  readonly routes: Routes;
  /** What `/` shows. */
  readonly front: Page;
  readonly unroutedPages: readonly UnroutedPage[];
}

export function blogPages(blog: BlogParts): BlogPages {
  const { routes, front, unroutedPages, views } = readingPages(blog);
  return {
    routes: mergeRoutes(
      routes,
      tagsPage(blog),
      archivePages(blog),
      searchPage(blog),
      feedPages(blog),
      discoveryPages(blog),
      blog.commenting && commentPages(blog, blog.commenting),
      moderationPages(blog),
      commentFeedPages(blog),
      writingPages(blog),
      lookPages(blog, views),
    ),
    front,
    unroutedPages,
  };
}
