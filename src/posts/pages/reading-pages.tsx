/** @jsxImportSource #jsx */
import { z } from "zod";
import type { Sql } from "../../database/database.ts";
import { cachingFor } from "../../http/access.ts";
import type { UnroutedPage } from "../../http/dispatch.ts";
import type { Routes } from "../../http/endpoint.ts";
import { queryInteger } from "../../http/parameters.ts";
import type { ResponseData } from "../../http/response-data.ts";
import { decodeSegment } from "../../http/router.ts";
import { isTagName, tagKey } from "../../tags/tag-name.ts";
import { shownInLists, shownOnFront } from "../../web/look/look.ts";
import type { PageContext } from "../../web/page.tsx";
import { local, type SafeUrl } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { Bylines, listAuthors } from "../authors.ts";
import { type BlogParts, mayWrite } from "../blog-parts.ts";
import { findComment } from "../comments/comment-store.ts";
import { placeOfComment, readThreadPage, threadPageUrl } from "../comments/thread.ts";
import { withAbsoluteUrls } from "../feeds/absolute-urls.ts";
import { countStream, neighborsOf, type SitePost, tagsOfPosts } from "../site-posts.ts";
import { readOldPath } from "./old-paths.ts";
import { placeOfOldPath } from "./place-of-old-path.ts";
import type { NextPost } from "./post-end.tsx";
import { picturesOf } from "./post-picture.tsx";
import { postView, threadView } from "./post-view.tsx";
import { postAt, postByFormerPath, postBySlug } from "./posts-by-path.ts";
import { nothingAtPath } from "./refusals.ts";
import { authorUrl, postUrl, tagUrl } from "./site-links.ts";
import { StreamViews } from "./stream-view.tsx";

/** Invalid numbers count as absent. */
const ThreadQuery = z.object({
  comments: queryInteger({ min: 1, max: 100_000, description: "The page of its comments." })
    .optional()
    .catch(undefined),
});

const paging = { page: queryInteger({ min: 1, max: 100_000, description: "The page." }).optional() };

/** What the views need of a call. */
export type ReadingCall = PageContext & { readonly client: { readonly origin: string } };

/** The front page and the page of a post, for previews. */
export interface ReadingViews {
  readonly front: (call: ReadingCall, page: number) => Promise<View>;
  readonly post: (call: ReadingCall, shown: SitePost) => Promise<View>;
}

/** The pages of the site: its front, its lists, its posts. The same for every reader. */
export function readingPages(dependencies: BlogParts) {
  const { pages, database, readAccess, rendered, commenting, discovery } = dependencies;
  const shared = { access: readAccess, shared: true } as const;
  const streams = new StreamViews(rendered);

  const front = pages.page({ ...shared, query: z.object(paging) }, async (call) => {
    // A former WordPress site at this address may have had paths such as `/?p=12`.
    const redirected = call.search === "" ? undefined : await postByFormerPath(call.read, `/${call.search}`);
    if (redirected !== undefined) return moved(postUrl(redirected));
    return frontView(call, call.query.page ?? 1);
  });

  const links = pages.page({ ...shared, query: z.object(paging) }, (call) =>
    streams.view(call, call.query.page ?? 1, {
      filter: { kind: "link" },
      path: "/links",
      title: call.messages.blog.links.title,
      description: call.messages.blog.descriptions.links(call.site.name),
      heading: call.messages.blog.links.title,
      empty: (
        <>
          {call.messages.blog.links.empty}
          {mayWrite(call) && pages.hasPage("/library/{id}/publish") && ` ${call.messages.blog.links.first}`}
        </>
      ),
      wholeLinks: true,
      feed: local("/links.atom"),
    }),
  );

  const tag = pages.page(
    { ...shared, params: z.object({ tag: z.string() }), query: z.object(paging) },
    async (call) => {
      if (!isTagName(call.params.tag)) throw nothingAtPath();
      const key = tagKey(call.params.tag);
      if ((await countStream(call.read, { tag: key })) === 0)
        return moved((await whatWasAt(call)) ?? nowhere());
      const name = await nameOfTag(call.read, key);
      const heading = call.messages.blog.tag.title(name);
      const path = tagUrl(key) as `/${string}`;
      if (call.path !== path) return moved(local(path, { page: call.query.page }));
      const feed = local(`${path}/feed.atom` as `/${string}`);
      return streams.view(call, call.query.page ?? 1, {
        filter: { tag: key },
        path,
        title: heading,
        description: call.messages.blog.descriptions.tag(name, call.site.name),
        heading,
        empty: "",
        shows: shownInLists(call.site),
        feed,
      });
    },
  );

  const author = pages.page(
    { ...shared, params: z.object({ slug: z.string() }), query: z.object(paging) },
    async (call) => {
      const authors = await listAuthors(call.read);
      const { slug } = call.params;
      const found = authors.find((one) => one.slug === slug || String(one.id) === slug);
      if (found === undefined) throw nothingAtPath();
      const path = authorUrl(found);
      if (call.path !== path) return moved(local(path, { page: call.query.page }));
      const heading = call.messages.blog.author.title(found.name);
      return streams.view(call, call.query.page ?? 1, {
        filter: { author: found.id },
        path,
        title: heading,
        description: call.messages.blog.author.description(found.name, call.site.name),
        heading,
        empty: call.messages.blog.empty,
        shows: shownInLists(call.site),
        feed: local(`${path}/feed.atom` as `/${string}`),
      });
    },
  );

  const post = pages.page(
    { ...shared, hasMarkdown: true, params: z.object({ slug: z.string() }), query: ThreadQuery },
    async (call) => {
      const found = await postAt(call.read, call.params.slug, call.path);
      const { comments: number = 1 } = call.query;
      if (postUrl(found) !== call.path) return moved(threadPageUrl(found, number));
      return call.wantsMarkdown ? markdownOf(call, found) : viewOf(call, found, number);
    },
  );

  const comment = pages.page(
    {
      access: readAccess,
      inSnapshot: true,
      params: z.object({ slug: z.string(), id: z.string().regex(/^\d{1,15}$/) }),
    },
    async (call) => {
      const found = await postAt(call.read, call.params.slug);
      const shown = await findComment(call.read, Number(call.params.id));
      if (shown?.postId !== found.id || shown.status !== "shown") throw nothingAtPath();
      const location = await placeOfComment(call.read, found, shown);
      return { status: 302, body: null, location, caching: cachingFor(readAccess) } satisfies ResponseData;
    },
  );

  const page = pages.page(
    { ...shared, hasMarkdown: true, params: z.object({ slug: z.string() }), query: ThreadQuery },
    async (call) => {
      const found = await postBySlug(call.read, call.params.slug);
      if (found?.kind !== "page") throw nothingAtPath();
      const { comments: number = 1 } = call.query;
      if (postUrl(found) !== call.path) return moved(threadPageUrl(found, number));
      return call.wantsMarkdown ? markdownOf(call, found) : viewOf(call, found, number);
    },
  );

  /**
   * What readers see of a post, for programs: not its source, which may have texts that nobody sees, unless its page shows that, too,
   * since it is not rendered in time.
   */
  async function markdownOf({ client, read }: ReadingCall, found: SitePost): Promise<ResponseData> {
    const { html } = await rendered.whole(found, read);
    // Loaded on demand: few ask for it.
    const { asMarkdownText, htmlAsMarkdown } = await import("../../decoding/html-markdown.ts");
    const url = client.origin + postUrl(found);
    const parts = [
      found.title && `# ${asMarkdownText(found.title)}`,
      found.link && `<${found.link}>`,
      found.summary && asMarkdownText(found.summary),
      htmlAsMarkdown(withAbsoluteUrls(html, url)),
    ];
    return {
      status: 200,
      body: `${parts.filter(Boolean).join("\n\n")}\n`,
      contentType: "text/markdown; charset=utf-8",
      caching: "personal",
    };
  }

  function frontView(call: ReadingCall, number: number): Promise<View> {
    return streams.view(call, number, {
      filter: {},
      path: "/",
      title: call.site.name,
      description: call.site.description || call.messages.blog.descriptions.front(call.site.name),
      heading: call.site.name,
      isHidden: true,
      follow: readAccess.anonymous,
      lead: call.site.description,
      empty: (
        <>
          {call.messages.blog.empty}
          {mayWrite(call) && pages.hasPage("/write/{key}") && (
            <>
              {" "}
              <a href={local("/write/new")}>{call.messages.blog.firstPost}</a>
            </>
          )}
          {call.caller.account === undefined && (
            <>
              {" "}
              <a href={local("/sign-in")}>{call.messages.navigation.signIn}</a>
            </>
          )}
        </>
      ),
      shows: shownOnFront(call.site),
      discovery,
      profiles: call.site.profiles,
      verifications: call.site.verifications,
    });
  }

  async function viewOf(call: ReadingCall, found: SitePost, number: number): Promise<View> {
    const isPage = found.kind === "page";
    const [tags, thread, neighbors, bylines, setting] = await Promise.all([
      tagsOfPosts(call.read, [found.id]),
      readThreadPage(call.read, found.id, number),
      isPage ? { before: undefined, after: undefined } : neighborsOf(call.read, found),
      Bylines.read(call.read),
      commenting?.setting(),
    ]);
    const mayComment =
      !isPage &&
      (setting === "open" ||
        setting === "moderated" ||
        (setting === "accounts" && call.caller.account !== undefined));
    if (thread === undefined) throw nothingAtPath();
    const commentForm = mayComment ? local(`${postUrl(found) as `/${string}`}/comments`) : undefined;
    const mayReply =
      (setting ?? "off") !== "off" &&
      call.caller.account !== undefined &&
      call.caller.scopes.has("comments:moderate");
    if (thread.number > 1) return threadView(call, { post: found, thread, commentForm, mayReply });
    const { before, after } = neighbors;
    return postView(call, {
      hasFeeds: readAccess.anonymous,
      post: found,
      rendered: await rendered.whole(found, call.read),
      url: postUrl(found),
      editor: local("/write", { post: found.id }),
      tags: tags.get(found.id) ?? [],
      thread,
      commentForm,
      mayReply,
      bylines,
      next: before && (await nextOf(call.read, before)),
      after,
    });
  }

  async function nextOf(read: Sql, post: SitePost): Promise<NextPost> {
    const text = await rendered.text(post, read);
    const pictures = await picturesOf([{ post, rendered: text }], (paths) => rendered.sizesOf(paths));
    return { post, rendered: text, picture: pictures.get(post.id) };
  }

  async function nameOfTag(read: Sql, key: string): Promise<string> {
    const [row] = await read<{ name: string }>`
      select name from post_tags where key = ${key} order by post_id desc limit 1`;
    return row?.name ?? key;
  }

  const redirect = pages.page(shared, async (call) => {
    const found = await postByFormerPath(call.read, call.path);
    if (found === undefined) throw nothingAtPath();
    return moved(postUrl(found));
  });

  /** A list or a feed where other programs have it. */
  const old = pages.page(shared, async (call) => moved((await whatWasAt(call)) ?? nowhere()));

  async function whatWasAt({ read, path }: ReadingCall): Promise<SafeUrl | undefined> {
    const found = readOldPath(path);
    if (found === undefined) return undefined;
    return placeOfOldPath(read, found);
  }

  const unroutedPages: readonly UnroutedPage[] = [
    {
      operation: page,
      paramsOf: async (path) => {
        const segment = PAGE_PATH.exec(path)?.[1];
        const slug = segment === undefined ? undefined : decodeSegment(segment);
        return slug !== undefined && (await postBySlug(database.read, slug))?.kind === "page"
          ? { slug }
          : undefined;
      },
    },
    {
      operation: redirect,
      paramsOf: async (path) =>
        (await postByFormerPath(database.read, path)) === undefined ? undefined : {},
    },
    { operation: old, paramsOf: (path) => (readOldPath(path) === undefined ? undefined : {}) },
  ];

  const routes: Routes = {
    "/links": { GET: links },
    "/tags/{tag...}": { GET: tag },
    "/authors/{slug}": { GET: author },
    "/posts/{slug}": { GET: post },
    "/posts/{slug}/comments/{id}": { GET: comment },
  };
  const views: ReadingViews = { front: frontView, post: (call, shown) => viewOf(call, shown, 1) };
  return { routes, front, unroutedPages, views };
}

/** The path of a static page, also as other programs write it. */
const PAGE_PATH = /^\/([^/]+?)(?:\.html?|\/(?:index\.html?)?)?$/;

/** @throws Refusal `not_found` */
function nowhere(): never {
  throw nothingAtPath();
}

/** 301: the post has moved permanently. */
function moved(location: SafeUrl): ResponseData {
  return { status: 301, body: null, location, caching: "public" };
}
