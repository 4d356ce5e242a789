/** @jsxImportSource #jsx */
import type { Sql } from "../../database/database.ts";
import type { Children } from "../../web/jsx/preact.js";
import { languageOf } from "../../web/language-of.ts";
import type { Shows } from "../../web/look/look.ts";
import type { PageContext } from "../../web/page.tsx";
import type { SiteVerification } from "../../web/site/site-verifications.ts";
import { local, type SafeUrl, web } from "../../web/urls.ts";
import type { View } from "../../web/view.ts";
import { Bylines } from "../authors.ts";
import type { RenderedPosts } from "../rendering/rendered-posts.ts";
import {
  listStream,
  listTitles,
  type SitePost,
  type StreamFilter,
  shownCommentCounts,
} from "../site-posts.ts";
import { Follow } from "./follow.tsx";
import { ListHead } from "./head.tsx";
import { picturesOf } from "./post-picture.tsx";
import { nothingAtPath } from "./refusals.ts";
import { Paging, Stream, type StreamEntry } from "./stream.tsx";
import { Titles } from "./titles.tsx";

/** The number of posts on a page of the stream. */
export const PAGE_SIZE = 20;
/** The number of titles on a page of titles. */
const TITLES_SIZE = 200;

/** A discovery link: a path with its link relation. */
export interface DiscoveryLink {
  readonly rel: string;
  readonly path: `/${string}`;
}

export interface StreamOptions {
  readonly filter: StreamFilter;
  readonly path: `/${string}`;
  readonly title: string;
  /** For search engines. */
  readonly description: string;
  readonly heading: string;
  /** Whether the heading is for screen readers alone. */
  readonly isHidden?: boolean;
  /** A sentence above the first page. */
  readonly lead?: string;
  readonly empty: Children;
  /** Whether the texts of link posts are shown whole. */
  readonly wholeLinks?: boolean;
  /** What is shown of each post; by default, titles and summaries. */
  readonly shows?: Shows;
  readonly feed?: SafeUrl;
  /** Whether it ends with how to follow the site. */
  readonly follow?: boolean;
  readonly discovery?: readonly DiscoveryLink[];
  /** The owner's pages elsewhere, as URLs. */
  readonly profiles?: readonly string[];
  readonly verifications?: readonly SiteVerification[];
}

/** Pages of the site that list posts with their texts, newest first. */
export class StreamViews {
  readonly #rendered: RenderedPosts;

  constructor(rendered: RenderedPosts) {
    this.#rendered = rendered;
  }

  /** @param number the number of the page, from 1 @throws Refusal `not_found` for a page past the end */
  async view(
    { client, read, messages, dates, site }: PageContext & { readonly client: { readonly origin: string } },
    number: number,
    list: StreamOptions,
  ): Promise<View> {
    const { filter, path, title, description, heading, isHidden = false, wholeLinks = false } = list;
    const {
      lead = "",
      empty,
      feed,
      shows = "summaries",
      discovery = [],
      profiles = [],
      verifications = [],
    } = list;
    const isTitles = shows === "titles";
    const size = isTitles ? TITLES_SIZE : PAGE_SIZE;
    const page = { limit: size + 1, offset: (number - 1) * size };
    const posts = await (isTitles ? listTitles : listStream)(read, filter, page);
    if (posts.length === 0 && number > 1) throw nothingAtPath();
    const shown = isTitles ? [] : await this.entries(read, posts.slice(0, size), shows);
    const isGrid = shows === "grid";
    const isLarge = isGrid && isHidden && number === 1;
    // The title of an author's page says who wrote all of them.
    const inOrder = filter.author === undefined ? shown : shown.map((one) => ({ ...one, author: undefined }));
    const large = isLarge ? inOrder.find(({ post }) => post.kind === "post") : undefined;
    const entries = large === undefined ? inOrder : [large, ...inOrder.filter((one) => one !== large)];
    const to = (other: number) => local(path, { page: other === 1 ? undefined : other });
    return {
      title: number === 1 ? title : `${title} · ${number}`,
      description,
      ...(isLarge && { tagline: lead }),
      layout: "reading",
      forReaders: true,
      class: "stream",
      foreignImages: wholeLinks || ["whole", "pictures", "grid"].includes(shows),
      head: (
        <>
          <ListHead
            site={site}
            origin={client.origin}
            path={to(number)}
            feed={feed === undefined ? undefined : { href: feed, title: `${site.name} · ${heading}` }}
          />
          {discovery.map(({ rel, path }) => (
            <link rel={rel} href={web(client.origin + path)} />
          ))}
          {verifications.map(({ name, content }) => (
            <meta name={name} content={content} />
          ))}
          {profiles.map((profile) => (
            <link rel="me" href={web(profile)} />
          ))}
        </>
      ),
      ...(discovery.length > 0 && {
        headers: {
          link: discovery.map(({ rel, path }) => `<${client.origin}${path}>; rel="${rel}"`).join(", "),
        },
      }),
      body: (
        <div class={isGrid ? "h-feed grid" : "h-feed"}>
          <div class={isHidden ? undefined : "row"}>
            <h1
              class={isHidden ? "unseen p-name" : "p-name"}
              lang={isHidden ? languageOf(site, messages) : undefined}
            >
              {heading}
            </h1>
          </div>
          {lead !== "" && number === 1 && !isLarge && (
            <div class="row">
              <p class="lead" lang={languageOf(site, messages)} dir="auto">
                {lead}
              </p>
            </div>
          )}
          {posts.length === 0 && (
            <div class="row">
              <p class="quiet">{empty}</p>
            </div>
          )}
          {isTitles ? (
            <Titles posts={posts.slice(0, size)} {...{ dates, messages, site }} />
          ) : (
            <Stream
              entries={entries}
              messages={messages}
              dates={dates}
              site={site}
              wholeLinks={wholeLinks}
              shows={shows}
              large={large}
            />
          )}
          <Paging
            messages={messages}
            newer={number > 1 ? to(number - 1) : undefined}
            older={posts.length > size ? to(number + 1) : undefined}
          />
          {list.follow && posts.length > 0 && (
            <div class="row">
              <Follow messages={messages} origin={client.origin} />
            </div>
          )}
        </div>
      ),
    };
  }

  /**
   * Posts as entries of a list: rendered, with the number of their comments.
   * @param shows whether with their pictures, or whole, with their covers
   */
  async entries(read: Sql, posts: readonly SitePost[], shows: Shows = "summaries"): Promise<StreamEntry[]> {
    const bylines = await Bylines.read(read);
    const counts = await shownCommentCounts(
      read,
      posts.map(({ id }) => id),
    );
    const entries = await Promise.all(
      posts.map(async (post) => ({
        post,
        rendered: await (shows === "whole"
          ? this.#rendered.whole(post, read)
          : this.#rendered.text(post, read)),
        comments: counts.get(post.id) ?? 0,
        author: bylines.shown(post),
      })),
    );
    if (shows !== "pictures" && shows !== "grid") return entries;
    const pictures = await picturesOf(
      entries.filter(({ post }) => post.kind !== "link"),
      (paths) => this.#rendered.sizesOf(paths),
    );
    return entries.map((entry) => ({ ...entry, picture: pictures.get(entry.post.id) }));
  }
}
