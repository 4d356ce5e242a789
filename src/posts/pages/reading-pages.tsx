/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { Refusal } from "../../errors.ts";
import type { Access } from "../../http/access.ts";
import type { Answer } from "../../http/answer.ts";
import type { MadePage } from "../../http/dispatch.ts";
import { queryInteger } from "../../http/parameters.ts";
import { decodeSegment } from "../../http/router.ts";
import { isTagName, tagKey } from "../../tags/tag-name.ts";
import type { Children } from "../../web/jsx/preact.js";
import type { PageContext, Pages } from "../../web/page.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import type { CommentPolicy } from "../comments/comment-access.ts";
import { shownComments } from "../comments/comment-store.ts";
import { findFormerSlug } from "../publication/publication-store.ts";
import { findRedirect } from "../publication/redirects.ts";
import { publishDuePosts } from "../publication/scheduled-posts.ts";
import { isSlug } from "../publication/slug.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import {
  countStream,
  findBySlug,
  findSitePost,
  listStream,
  neighborsOf,
  type SitePost,
  type StreamFilter,
  shownCommentCounts,
  tagsOfPosts,
} from "../site-posts.ts";
import { ListHead } from "./head.tsx";
import { postView } from "./post-view.tsx";
import { postUrl, tagUrl } from "./site-links.ts";
import { Paging, Stream, type StreamEntry } from "./stream.tsx";

/** The number of posts on a page of the stream. */
const PAGE_SIZE = 20;

const paging = { page: queryInteger({ min: 1, max: 100_000, description: "The page." }).optional() };

export interface ReadingPagesParts {
  readonly pages: Pages;
  readonly database: Database;
  readonly reading: Access;
  readonly rendered: RenderedPosts;
  readonly commenting: CommentPolicy | undefined;
  /** Links for programs on the front page. */
  readonly discovery: readonly DiscoveryLink[];
}

/** A discovery link: a path with its link relation. */
export interface DiscoveryLink {
  readonly rel: string;
  readonly path: `/${string}`;
}

/** The pages of the site: its front, its lists, its posts. The same for every reader. */
export function readingPages(parts: ReadingPagesParts) {
  const { pages, database, reading, rendered, commenting, discovery } = parts;
  const shared = { access: reading, shared: true } as const;

  const front = pages.page({ ...shared, query: z.object(paging) }, async (call) => {
    // A former WordPress site at this address may have had paths such as `/?p=12`.
    const redirected = call.search === "" ? undefined : await redirectedPost(`/${call.search}`);
    if (redirected !== undefined) return moved(postUrl(redirected));
    return streamView(call, call.query.page ?? 1, {
      filter: {},
      path: "/",
      title: call.site.name,
      description: call.site.description || call.words.blog.descriptions.front(call.site.name),
      heading: call.site.name,
      isHidden: true,
      empty: (
        <>
          {call.words.blog.empty}
          {mayWrite(call) && pages.hasPage("/write/{key}") && (
            <>
              {" "}
              <a href={local("/write/new")}>{call.words.blog.firstPost}</a>
            </>
          )}
        </>
      ),
      discovery,
    });
  });

  const links = pages.page({ ...shared, query: z.object(paging) }, (call) =>
    streamView(call, call.query.page ?? 1, {
      filter: { kind: "link" },
      path: "/links",
      title: call.words.blog.links.title,
      description: call.words.blog.descriptions.links(call.site.name),
      heading: call.words.blog.links.title,
      empty: (
        <>
          {call.words.blog.links.empty}
          {mayWrite(call) && pages.hasPage("/library/{id}/publish") && ` ${call.words.blog.links.first}`}
        </>
      ),
      feed: local("/links.atom"),
    }),
  );

  const tag = pages.page(
    { ...shared, params: z.object({ tag: z.string() }), query: z.object(paging) },
    async (call) => {
      if (!isTagName(call.params.tag)) throw nothing();
      const key = tagKey(call.params.tag);
      await publishDuePosts(database);
      if ((await countStream(database.read, { tag: key })) === 0) throw nothing();
      const name = await nameOfTag(key);
      const heading = call.words.blog.tag.title(name);
      const path = tagUrl(key) as `/${string}`;
      if (call.path !== path) return moved(local(path, { page: call.query.page }));
      const feed = local(`${path}/feed.atom` as `/${string}`);
      return streamView(call, call.query.page ?? 1, {
        filter: { tag: key },
        path,
        title: heading,
        description: call.words.blog.descriptions.tag(name, call.site.name),
        heading,
        empty: "",
        feed,
      });
    },
  );

  const post = pages.page({ ...shared, params: z.object({ slug: z.string() }) }, async (call) => {
    const validUntil = await publishDuePosts(database);
    const found = await findByPath(call.params.slug, call.path);
    const path = postUrl(found);
    if (path !== call.path) return moved(path);
    return { ...(await viewOf(call, found)), validUntil };
  });

  /** A static page, or a post whose path was typed without `/posts`; undefined when there is none. */
  async function staticPage(slug: string): Promise<SitePost | undefined> {
    if (!isSlug(slug)) return undefined;
    await publishDuePosts(database);
    const found = await findBySlug(database.read, slug);
    if (found !== undefined) return found;
    const id = await findFormerSlug(database.read, slug);
    return id === undefined ? undefined : findSitePost(database.read, id);
  }

  const page = pages.page({ ...shared, params: z.object({ slug: z.string() }) }, async (call) => {
    const found = await staticPage(call.params.slug);
    if (found?.kind !== "page") throw nothing();
    const path = postUrl(found);
    if (path !== call.path) return moved(path);
    return viewOf(call, found);
  });

  async function streamView(
    { client, words, dates, site }: PageContext & { readonly client: { readonly origin: string } },
    number: number,
    list: ListOptions,
  ): Promise<View> {
    const validUntil = await publishDuePosts(database);
    const { filter, path, title, description, heading, isHidden = false, empty, feed, discovery = [] } = list;
    const offset = (number - 1) * PAGE_SIZE;
    const posts = await listStream(database.read, filter, { limit: PAGE_SIZE + 1, offset });
    if (posts.length === 0 && number > 1) throw nothing();
    const entries = await entriesOf(posts.slice(0, PAGE_SIZE));
    const to = (other: number) => local(path, { page: other === 1 ? undefined : other });
    return {
      title: number === 1 ? title : `${title} · ${number}`,
      description,
      layout: "reading",
      themed: true,
      class: "stream",
      validUntil,
      head: (
        <>
          <ListHead
            site={site}
            origin={client.origin}
            path={to(number)}
            {...(feed !== undefined && { feed })}
          />
          {discovery.map(({ rel, path }) => (
            <link rel={rel} href={local(path)} />
          ))}
        </>
      ),
      ...(discovery.length > 0 && {
        headers: {
          link: discovery.map(({ rel, path }) => `<${client.origin}${path}>; rel="${rel}"`).join(", "),
        },
      }),
      body: (
        <div class="h-feed">
          <div class={isHidden ? undefined : "row"}>
            <h1 class={isHidden ? "unseen p-name" : "p-name"}>{heading}</h1>
          </div>
          {entries.length === 0 && (
            <div class="row">
              <p class="quiet">{empty}</p>
            </div>
          )}
          <Stream entries={entries} words={words} dates={dates} />
          <Paging
            words={words}
            newer={number > 1 ? to(number - 1) : undefined}
            older={posts.length > PAGE_SIZE ? to(number + 1) : undefined}
          />
        </div>
      ),
    };
  }

  async function entriesOf(posts: readonly SitePost[]): Promise<StreamEntry[]> {
    const counts = await shownCommentCounts(
      database.read,
      posts.map(({ id }) => id),
    );
    return Promise.all(
      posts.map(async (post) => ({
        post,
        rendered: await rendered.render(post.content),
        comments: counts.get(post.id) ?? 0,
      })),
    );
  }

  async function viewOf(
    call: PageContext & { readonly client: { readonly origin: string } },
    found: SitePost,
  ): Promise<View> {
    const isPage = found.kind === "page";
    const [tags, comments, neighbors, setting] = await Promise.all([
      tagsOfPosts(database.read, [found.id]),
      shownComments(database.read, [found.id], Number.MAX_SAFE_INTEGER - 1),
      isPage ? { before: undefined, after: undefined } : neighborsOf(database.read, found),
      commenting?.setting(),
    ]);
    const mayComment =
      !isPage &&
      (setting === "open" ||
        setting === "moderated" ||
        (setting === "accounts" && call.caller.account !== undefined));
    return postView(call, {
      post: found,
      rendered: await rendered.render(found.content),
      tags: tags.get(found.id) ?? [],
      comments: isPage ? [] : (comments?.get(found.id) ?? []),
      commentForm: mayComment ? local(`${postUrl(found) as `/${string}`}/comments`) : undefined,
      ...neighbors,
    });
  }

  /** Finds a post by its slug, a former slug, its id, or its path on another site. */
  async function findByPath(slug: string, path = `/posts/${slug}`): Promise<SitePost> {
    const found = /^\d{1,15}$/.test(slug)
      ? await findSitePost(database.read, Number(slug))
      : await staticPage(slug);
    const post = found ?? (await redirectedPost(path));
    if (post === undefined) throw nothing();
    return post;
  }

  /** The published post that had a path on another site. */
  async function redirectedPost(path: string): Promise<SitePost | undefined> {
    const id = await findRedirect(database.read, path);
    if (id === undefined) return undefined;
    await publishDuePosts(database);
    return findSitePost(database.read, id);
  }

  async function nameOfTag(key: string): Promise<string> {
    const [row] = await database.read<{ name: string }>`
      select name from post_tags where key = ${key} order by post_id desc limit 1`;
    return row?.name ?? key;
  }

  const redirect = pages.page(shared, async (call) => {
    const found = await redirectedPost(call.path);
    if (found === undefined) throw nothing();
    return moved(postUrl(found));
  });

  const madePages: readonly MadePage[] = [
    {
      operation: page,
      paramsAt: async (path) => {
        const segment = /^\/([^/]+)$/.exec(path)?.[1];
        const slug = segment === undefined ? undefined : decodeSegment(segment);
        return slug !== undefined && (await staticPage(slug))?.kind === "page" ? { slug } : undefined;
      },
    },
    {
      operation: redirect,
      paramsAt: async (path) => ((await redirectedPost(path)) === undefined ? undefined : {}),
    },
  ];

  return { front, links, tag, post, madePages, entriesOf, findByPath, viewOf };
}

/** Whether empty lists should show the first steps to this reader. */
function mayWrite({ caller }: PageContext): boolean {
  return caller.account !== undefined && caller.scopes.has("posts:write");
}

interface ListOptions {
  readonly filter: StreamFilter;
  readonly path: `/${string}`;
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  readonly heading: string;
  /** Whether the heading is for screen readers alone. */
  readonly isHidden?: boolean;
  readonly empty: Children;
  readonly feed?: SafeUrl;
  readonly discovery?: readonly DiscoveryLink[];
}

/** 301: the post has moved permanently. */
function moved(location: SafeUrl): Answer {
  return { status: 301, body: null, location, caching: "public" };
}

function nothing(): Refusal {
  return new Refusal("not_found", "Nothing exists at this path.");
}
