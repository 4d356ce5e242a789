import type { RecordLocation } from "../../records/record.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import { isSlug, slugFrom } from "../../records/slug.ts";
import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { noted } from "../foreign-records.ts";
import { isEmptyContent } from "../html/empty-content.ts";
import { htmlToPostContent, rewriteHtml } from "../html/html-content.ts";
import { readText, rewritePictures } from "../markdown/body.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { LINKS_STAY, MissingPictures } from "../pictures/missing-pictures.ts";
import { dateOf, languageOf, lineOf, storable, tagsFrom, webUrlOf } from "../reading/foreign-values.ts";
import { firstDate, type Mark, visibilityOf, type Words } from "../reading/foreign-visibility.ts";
import { Growth } from "../reading/growth.ts";
import { RawItems } from "../reading/raw-items.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { withoutGatedParts } from "./gated-parts.ts";
import { documentOf, type GhostPost, hasDocument, markdownOf } from "./ghost-post.ts";
import { readGhostTables } from "./ghost-tables.ts";

/** The placeholder for the site's address in an export. */
const SITE = /^__GHOST_URL__/;

/** The Ghost export in an archive or folder; undefined when there is none. */
export async function findGhost(tree: FileTree): Promise<string | undefined> {
  for (const path of tree.sizes.keys())
    if (path.endsWith(".json") && isGhost(await beginningOf(tree, path, 4_096))) return path;
  return undefined;
}

/** Whether a JSON file begins like an export of Ghost. */
export function isGhost(beginning: string): boolean {
  return /^\ufeff?\s*\{\s*"(?:db"\s*:\s*\[\s*\{\s*"(?:meta|data)"|meta"\s*:\s*\{\s*"exported_on")/.test(
    beginning,
  );
}

/**
 * Reads the posts and pages of an export of Ghost.
 * @throws StartError when it is not JSON
 */
export async function readGhost(tree: FileTree, path: string, records: Staging, now: Date): Promise<void> {
  using items = new RawItems();
  const { others, marks } = await readGhostTables(tree, path, items);
  const reader = new GhostReader(tree, path, records, items, marks, now);
  for await (const post of items.all<GhostPost>("posts")) await reader.add(post);
  reader.report();
  for (const name of others)
    records.note({ file: path, line: 1, code: "not_taken", detail: `“${name}” of Ghost is not imported.` });
}

/** Ghost's words for who sees a post; its tiers of members have names. */
const WORDS: Words = {
  status: { published: "public", draft: "draft", scheduled: "scheduled" },
  visibility: { public: "public" },
  emailonly: { "0": "public", false: "public" },
};

/** The text of a post as every visitor saw it. */
interface GhostContent {
  readonly content: string;
  /** What is left out, since not every visitor saw it. */
  readonly hidden: readonly string[];
  /** The same text to compare with, if there is another form of it. */
  readonly source?: string;
  /** Whether it is only the plain text, which does not say who saw which part. */
  readonly isPlain?: boolean;
}

class GhostReader {
  readonly #path: string;
  readonly #records: Staging;
  readonly #items: RawItems;
  readonly #ofSite: readonly Mark[];
  readonly #now: Date;
  readonly #pictures: ArchivePictures;
  readonly #missing = new MissingPictures();
  readonly #unknown = new Tally();
  readonly #leftOut = new Tally();
  readonly #hidden = new Tally();
  readonly #growth = new Growth();
  #number = 0;

  constructor(
    tree: FileTree,
    path: string,
    records: Staging,
    items: RawItems,
    marks: readonly Mark[],
    now: Date,
  ) {
    this.#ofSite = marks;
    this.#path = path;
    this.#records = records;
    this.#items = items;
    this.#now = now;
    this.#pictures = new ArchivePictures(tree, records, now);
    this.#top =
      [...tree.sizes.keys()]
        .map((name) => /^(.*?)content\/images\//.exec(name)?.[1])
        .find((top) => top !== undefined) ?? "";
  }

  readonly #top: string;

  async add(post: GhostPost): Promise<void> {
    // An export usually has one line, so the number of the post is more useful.
    const location = { file: this.#path, line: ++this.#number };
    const title = lineOf(String(post.title ?? ""), 500) || "Untitled";
    const id = String(post.id ?? "");
    const [meta = {}] = this.#items.of<Record<string, unknown>>("posts_meta", id);
    const isUnread = firstText(post.html, markdownOf(post)) === undefined && unreadable(post) !== undefined;
    const given = typeof post.slug === "string" ? post.slug : "";
    const slug = isSlug(given) ? given : slugFrom(given) || slugFrom(title) || "post";
    const isPage = post.type === "page" || post.page === 1 || post.page === true;
    const excerpt = firstText(post.custom_excerpt, meta.meta_description, post.meta_description);
    const old = given === "" ? undefined : redirectPath(`/${given}`);
    const image = await this.#imageOf(post.feature_image ?? post.image, location);
    const { content, hidden, source, isPlain } = await this.#contentOf(post, location);
    for (const name of new Set(hidden)) this.#hidden.add(name, location);
    const dates = [{ name: "published_at", value: stored(post.published_at) }];
    const seen = visibilityOf({
      marks: [...marksOf({ ...post, status: post.status ?? "none" }), ...marksOf(meta), ...this.#ofSite],
      ...{ words: WORDS, dates, now: this.#now },
    });
    const isEmpty = image === null && isEmptyContent(content);
    if (isUnread)
      this.#records.note({
        ...location,
        code: "not_public",
        detail: `“${title}” cannot be read: it becomes a draft with what Ghost's editor has stored.`,
      });
    const visibility = noted(this.#records, {
      ...{ title, location, seen, isEmpty },
      hidden: isUnread
        ? ""
        : isPlain
          ? "has only its plain text, which may have parts for members alone"
          : undefined,
    });
    const published = firstDate(dates);
    const created = moment(post.created_at) ?? this.#now;
    const isLive = visibility.is === "public";
    this.#records.add("post", {
      location,
      // Of what the editor has stored there is no other form to compare with.
      ...(source !== undefined && { source: [String(post.title ?? ""), excerpt ?? "", source] }),
      ...(hidden.length > 0 && { hides: lineOf(hidden.join(", "), 500) }),
      record: {
        ...{ title, content, published: isLive },
        created_at: created.toISOString(),
        updated_at: (moment(post.updated_at) ?? created).toISOString(),
        published_at: isLive ? (published ?? created).toISOString() : null,
        created_by: this.#authorOf(id, post.author_id),
        publication: {
          ...{ kind: isPage ? "page" : "post", slug, tags: this.#tagsOf(id), image },
          summary: excerpt === undefined ? null : lineOf(excerpt, 1_000),
          publish_at: visibility.is === "scheduled" ? visibility.at.toISOString() : null,
          language: languageOf(post.locale ?? post.language),
          canonical_url: webUrlOf(post.canonical_url),
        },
        redirects: isLive && !isPage && old !== undefined ? [old] : [],
      },
    });
  }

  report(): void {
    this.#missing.report(this.#records, LINKS_STAY);
    this.#unknown.report(
      this.#records,
      "not_taken",
      (name, posts) => `Of cards of the kind “${name}”, only the text is imported (${posts}).`,
    );
    this.#leftOut.report(
      this.#records,
      "not_taken",
      (name, posts) => `Left out: cards of the kind “${name}” (${posts}).`,
    );
    this.#hidden.report(
      this.#records,
      "not_public",
      (name, posts) => `Left out, since not every visitor saw it: ${name} (${posts}).`,
    );
  }

  /** The text of a post without what no visitor saw. */
  async #contentOf(post: GhostPost, location: RecordLocation): Promise<GhostContent> {
    const newUrlOf = (address: string) => this.#addressOf(address, location);
    const hidden: string[] = [];
    const open = (text: string): string => {
      const { html, gates } = withoutGatedParts(text);
      for (const gate of new Set(gates)) hidden.push(`a part with “kg-gated-block” (${lineOf(gate, 100)})`);
      return html;
    };
    const markdown = markdownOf(post);
    if (markdown !== undefined) {
      const shown = open(markdown);
      const links = shown.replaceAll(/(?<!!)(\[[^[\]]*\]\()__GHOST_URL__/g, "$1");
      const content = storable(await rewritePictures(links, newUrlOf));
      return { content, hidden, source: readText(shown, false) };
    }
    const html = firstText(post.html);
    if (html !== undefined) {
      const shown = open(html);
      const content = storable(htmlToPostContent(await rewriteHtml(shown, newUrlOf)));
      return { content, hidden, source: shown };
    }
    const document = documentOf(post, this.#growth);
    if (document === undefined) {
      const plain = firstText(post.plaintext);
      return { content: storable(plain ?? unreadable(post) ?? ""), hidden, isPlain: plain !== undefined };
    }
    for (const name of document.unknown) this.#unknown.add(name, location);
    for (const name of document.leftOut) this.#leftOut.add(name, location);
    for (const name of document.hidden) hidden.push(`a card of the kind ${name}`);
    const parts = document.parts.map((part) =>
      "html" in part
        ? rewriteHtml(open(part.html), newUrlOf).then(htmlToPostContent)
        : rewritePictures(open(part.markdown), newUrlOf),
    );
    const shown = (await Promise.all(parts)).filter((part) => part !== "").join("\n\n");
    return { content: storable(shown), hidden };
  }

  /** Rewrites an address in a post: to an image of the archive, or to a path of the site. */
  async #addressOf(address: string, location: RecordLocation): Promise<string | undefined> {
    const isOfSite = SITE.test(address) || /^\/content\/images\//.test(address);
    if (!isOfSite) return undefined;
    const path = address.replace(SITE, "") || "/";
    if (!/^\/content\/images\//.test(path)) return path;
    const file = decodeIfValid(path.slice(1).split(/[?#]/, 1)[0] ?? "");
    const original = file.replace(/^content\/images\/size\/[^/]+\/(?:format\/[^/]+\/)?/, "content/images/");
    const found = this.#pictures.find([original, file].map((name) => this.#top + name));
    if (found !== undefined) return (await this.#pictures.add(found)) ?? path;
    this.#missing.add(path, location);
    return path;
  }

  async #imageOf(address: unknown, location: RecordLocation): Promise<string | null> {
    if (typeof address !== "string" || address === "") return null;
    const url = await this.#addressOf(address, location);
    return url?.startsWith("/media/") ? url : webUrlOf(address);
  }

  /** The public tags: names of internal ones begin with `#`. */
  #tagsOf(postId: string): string[] {
    const links = this.#items.of<{ tag_id?: unknown }>("posts_tags", postId);
    const tags = links.flatMap(
      ({ tag_id }) =>
        this.#items.find<{ name?: unknown; visibility?: unknown }>("tags", String(tag_id)) ?? [],
    );
    const shown = tags.filter(
      ({ name, visibility }) => visibility !== "internal" && !String(name).startsWith("#"),
    );
    return tagsFrom(shown.map(({ name }) => String(name ?? "")));
  }

  #authorOf(postId: string, first: unknown): string | null {
    const [link] = this.#items.of<{ author_id?: unknown }>("posts_authors", postId);
    const user = this.#items.find<{ name?: unknown }>("users", String(link?.author_id ?? first ?? ""));
    return typeof user?.name === "string" && user.name.trim() !== "" ? lineOf(user.name, 64) : null;
  }
}

/** The columns of a row; those with its text say nothing of who sees it. */
function marksOf(row: object): readonly Mark[] {
  return Object.entries(row).map(([name, value]) => ({ name, value }));
}

/** What the editor has stored, as code, if it is no document of Ghost's editors; undefined if it is, or there is none. */
function unreadable(post: GhostPost): string | undefined {
  const stored = firstText(post.lexical, post.mobiledoc);
  if (stored === undefined || hasDocument(post)) return undefined;
  return `\`\`\`\`\`\`json\n${stored}\n\`\`\`\`\`\``;
}

/** A date of Ghost: RFC 3339, or milliseconds in old exports. */
function moment(value: unknown): Date | undefined {
  return dateOf(stored(value));
}

function stored(value: unknown): unknown {
  return typeof value === "number" ? new Date(value) : value;
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}
