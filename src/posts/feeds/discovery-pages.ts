import { escapeUTF8 } from "entities";
import type { Instant } from "../../database/database.ts";
import { cachingFor } from "../../http/access.ts";
import { contentTag, isNotModified } from "../../http/caching/etags.ts";
import type { Routes } from "../../http/endpoint.ts";
import { notModified, type ResponseData } from "../../http/response-data.ts";
import type { PostKind } from "../../records/publication-members.ts";
import type { BlogParts } from "../blog-parts.ts";
import { postUrl } from "../pages/site-links.ts";
import { xmlSafeText } from "./feed.ts";

/** The maximum number of URLs of a sitemap (sitemaps.org). */
const URLS_MAX = 50_000;
/** The paths of its lists. */
const LISTS = ["/", "/archive", "/tags"];

/** Files for search engines and browsers: `/sitemap.xml`, `/opensearch.xml`. */
export function discoveryPages({ pages, database, readAccess }: BlogParts): Routes {
  const sitemap = pages.page({ access: readAccess }, async ({ request, client }) => {
    const posts = await database.read<{
      id: number;
      slug: string | null;
      kind: PostKind;
      updated_at: Instant;
    }>`
      select id, slug, kind, updated_at from posts
      where published = ${true} order by published_at desc, id desc limit ${URLS_MAX - LISTS.length}`;
    const urls = posts.map((post) => {
      const location = client.origin + postUrl({ ...post, id: Number(post.id) });
      const day = new Date(post.updated_at).toISOString().slice(0, 10);
      return `<url><loc>${escapeUTF8(location)}</loc><lastmod>${day}</lastmod></url>`;
    });
    const lists = LISTS.map((path) => `<url><loc>${escapeUTF8(client.origin + path)}</loc></url>`);
    return document(
      request,
      "application/xml; charset=utf-8",
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${[...lists, ...urls].join("\n")}\n</urlset>\n`,
    );
  });

  const openSearch = pages.page({ access: readAccess }, ({ request, client, site }) => {
    // 16 characters at most (OpenSearch 1.1).
    const name = escapeUTF8([...xmlSafeText(site.name)].slice(0, 16).join(""));
    return document(
      request,
      "application/opensearchdescription+xml; charset=utf-8",
      `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>${escapeUTF8(xmlSafeText(site.name))}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${escapeUTF8(client.origin)}/search?q={searchTerms}"/>
</OpenSearchDescription>
`,
    );
  });

  function document(request: Request, contentType: string, body: string): ResponseData {
    const etag = contentTag("", body);
    const caching = cachingFor(readAccess);
    if (isNotModified(request, etag)) return notModified(etag, caching, contentType);
    return { status: 200, body, contentType, etag, caching };
  }

  return {
    "/sitemap.xml": { GET: sitemap },
    "/opensearch.xml": { GET: openSearch },
  };
}
