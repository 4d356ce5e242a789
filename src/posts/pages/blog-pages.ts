import { commentPages } from "../comments/pages/comment-pages.tsx";
import { moderationPages } from "../comments/pages/moderation-pages.ts";
import { discoveryPages } from "../feeds/discovery-pages.ts";
import { feedPages } from "../feeds/feed-pages.ts";
import { writingPages } from "../writing/writing-pages.ts";
import { archivePages } from "./archive-pages.tsx";
import type { BlogParts } from "./blog-parts.ts";
import { lookPages } from "./look-pages.tsx";
import { readingPages } from "./reading-pages.tsx";
import { searchPage } from "./search-page.tsx";
import { tagsPage } from "./tags-page.tsx";

/** All pages of the blog. */
export function blogPages(parts: BlogParts) {
  const reading = readingPages(parts);
  return {
    search: searchPage({ ...parts, streams: reading.streams }),
    feeds: feedPages(parts),
    discovery: discoveryPages(parts),
    reading,
    look: lookPages({ ...parts, views: reading.views }),
    archive: archivePages(parts),
    tags: tagsPage(parts),
    writing: writingPages(parts),
    comments: parts.commenting && commentPages({ ...parts, commenting: parts.commenting }),
    moderation: moderationPages(parts),
  };
}
