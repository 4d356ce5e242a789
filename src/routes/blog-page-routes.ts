import type { Routes } from "../http/endpoint.ts";
import type { blogPages } from "../posts/pages/blog-pages.ts";

/** The pages of the blog, for its readers and its writers. */
export function blogPageRoutes({
  reading,
  archive,
  writing,
  comments,
  moderation,
  search,
  feeds,
  discovery,
}: ReturnType<typeof blogPages>): Routes {
  return {
    ...(comments && { "/posts/{slug}/comments": { GET: comments.show, POST: comments.submit } }),
    "/search": { GET: search },
    "/moderation": { GET: moderation.list, POST: moderation.decide },
    "/moderation/feeds": { GET: moderation.feeds.show, POST: moderation.feeds.change },
    "/moderation/feeds/{secret}/comments.atom": { GET: moderation.feeds.feed },
    "/write": { GET: writing.desk },
    "/write/new": { GET: writing.fresh },
    "/write/{key}": { GET: writing.show, POST: writing.submit },
    "/write/{key}/preview": { GET: writing.preview },
    "/write/{key}/versions": { GET: writing.versions, POST: writing.restore },
    "/preview/{secret}": { GET: writing.sharedPreview },
    "/feed.atom": { GET: feeds.atom },
    "/feed.rss": { GET: feeds.rss },
    "/feed.json": { GET: feeds.json },
    "/links.atom": { GET: feeds.links },
    "/tags/{tag...}/feed.atom": { GET: feeds.tagAtom },
    "/tags/{tag...}/feed.rss": { GET: feeds.tagRss },
    "/tags/{tag...}/feed.json": { GET: feeds.tagJson },
    "/posts/{slug}/comments.atom": { GET: feeds.comments },
    "/sitemap.xml": { GET: discovery.sitemap },
    "/opensearch.xml": { GET: discovery.openSearch },
    "/links": { GET: reading.links },
    "/tags/{tag...}": { GET: reading.tag },
    "/archive": { GET: archive.newest },
    "/archive/{year}": { GET: archive.year },
    "/posts/{slug}/comments/{id}": { GET: reading.comment },
    "/posts/{slug}": { GET: reading.post },
  };
}
