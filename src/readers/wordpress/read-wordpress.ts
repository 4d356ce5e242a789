import type { RecordLocation } from "../../records/record.ts";
import { redirectPath } from "../../records/redirect-path.ts";
import { isSlug, slugFrom } from "../../records/slug.ts";
import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { xmlBeginning } from "../files/single-file.ts";
import { noted } from "../foreign-records.ts";
import { isEmptyContent } from "../html/empty-content.ts";
import { htmlToPostContent, rewriteHtml, textOfHtml, textOfTitle } from "../html/html-content.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { pictureUrl } from "../pictures/linked-pictures.ts";
import { LINKS_STAY, MissingPictures } from "../pictures/missing-pictures.ts";
import { lineOf, storable, tagsFrom, webUrlOf } from "../reading/foreign-values.ts";
import { firstDate, type Mark, visibilityOf, type Words } from "../reading/foreign-visibility.ts";
import { Growth } from "../reading/growth.ts";
import { limitingElements } from "../reading/limiting-names.ts";
import { RawItems } from "../reading/raw-items.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { autop, hasBlocks, withoutBlockComments } from "./autop.ts";
import { filledBlocks, footnotesOf } from "./blocks.ts";
import { limitingFields, limitingShortcodes, withoutHiddenBlocks } from "./hidden-parts.ts";
import { replaceShortcodes, withoutShortcodes } from "./shortcodes.ts";
import { SiteLimits } from "./site-limits.ts";
import { addComments } from "./wordpress-comments.ts";
import { dateIn, isWxr, type WxrItem, wxrItems } from "./wxr-items.ts";

const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|svg)$/i;
/** WordPress's words for who sees a post; plugins have others. */
const WORDS: Words = {
  status: {
    ...{ publish: "public", draft: "draft", pending: "draft", future: "scheduled" },
    ...{ trash: "left out", "auto-draft": "left out", inherit: "left out" },
  },
};

/** The WordPress exports in an archive or folder; WordPress splits large ones. */
export async function findWordPress(tree: FileTree): Promise<string[]> {
  const found: string[] = [];
  for (const path of tree.sizes.keys())
    if (path.endsWith(".xml") && isWxr(await xmlBeginning(tree, path, 16_384))) found.push(path);
  return found.toSorted();
}

/**
 * Reads the posts, pages and comments of exports of WordPress.
 * @throws StartError when one is not valid
 */
export async function readWordPress(
  tree: FileTree,
  paths: readonly string[],
  records: Staging,
  now: Date,
): Promise<void> {
  using items = new RawItems();
  const limits = new SiteLimits();
  let attachments = 0;
  for (const path of paths) {
    for await (const item of wxrItems(tree, path, records, (term) => limits.addTerm(term))) {
      limits.look(item);
      const id = item.texts["wp:post_id"] ?? "";
      const isAttachment = item.texts["wp:post_type"] === "attachment";
      if (isAttachment) attachments++;
      const kind = isAttachment
        ? "attachment"
        : item.texts["wp:post_type"] === "wp_block"
          ? "pattern"
          : "item";
      const parent = isAttachment ? (item.texts["wp:post_parent"] ?? null) : null;
      items.add(kind, { path, ...item }, { key: id, parent, rank: Number(item.texts["wp:menu_order"]) || 0 });
    }
  }
  const reader = new WordPressReader(tree, records, items, limits, now);
  for await (const item of items.all<Stored>("item")) await reader.add(item);
  reader.report();
  if (attachments > 0)
    records.note({
      ...{ file: paths[0] ?? "", line: 0, code: "not_taken" },
      detail: `Of the media library (${attachments} ${attachments === 1 ? "file" : "files"}), only the pictures that posts show are imported.`,
    });
}

interface Stored extends WxrItem {
  readonly path: string;
}

class WordPressReader {
  readonly #records: Staging;
  readonly #items: RawItems;
  readonly #limits: SiteLimits;
  readonly #now: Date;
  readonly #pictures: ArchivePictures;
  readonly #files: ReadonlyMap<string, string>;
  readonly #missing = new MissingPictures();
  readonly #shortcodes = new Tally();
  readonly #leftOut = new Tally();
  readonly #types = new Tally();
  readonly #growth = new Growth();
  readonly #ofComments = new Tally();
  #number = 0;

  constructor(tree: FileTree, records: Staging, items: RawItems, limits: SiteLimits, now: Date) {
    this.#records = records;
    this.#items = items;
    this.#limits = limits;
    this.#now = now;
    this.#pictures = new ArchivePictures(tree, records, now);
    this.#files = new Map([...tree.sizes.keys()].map((path) => [uploadOf(path), path]));
  }

  async add(item: Stored): Promise<void> {
    const { texts } = item;
    const location = { file: item.path, line: item.line };
    const type = texts["wp:post_type"] ?? "post";
    const title = lineOf(textOfTitle(texts.title ?? ""), 500) || "Untitled";
    if (type !== "post" && type !== "page") {
      this.#types.add(type, location);
      return;
    }
    const ref = `${texts["wp:post_id"] ?? ""}:${++this.#number}`;
    if (!(await this.#addPost(item, { location, ref, title, type }))) return;
    addComments(this.#records, item, ref, this.#now, this.#ofComments);
  }

  report(): void {
    this.#shortcodes.report(
      this.#records,
      "shortcode",
      (name, posts) => `The shortcode “${name}” stays as it is in ${posts}.`,
    );
    this.#leftOut.reportTogether(
      this.#records,
      "block_left_out",
      (names) => `Blocks that WordPress fills when it shows a page are left out: ${names}.`,
    );
    this.#missing.report(this.#records, LINKS_STAY);
    this.#ofComments.report(
      this.#records,
      "not_taken",
      (what, comments) => `${what} not imported (${comments}).`,
      ["comment", "comments"],
    );
    this.#types.report(
      this.#records,
      "not_taken",
      (name, items) => `Items of the type “${name}” are not imported (${items}).`,
      ["item", "items"],
    );
  }

  async #addPost(
    item: Stored,
    { location, ref, title, type }: { location: RecordLocation; ref: string; title: string; type: string },
  ): Promise<boolean> {
    const { texts, terms, fields } = item;
    const meta = Object.fromEntries(fields);
    const dates = datesOf(texts);
    const date = firstDate(dates) ?? this.#now;
    const updated = dateIn(texts["wp:post_modified_gmt"]) ?? date;
    const marks = [
      { name: "status", value: (texts["wp:status"] ?? "").trim() || "none" },
      { name: "password", value: texts["wp:post_password"] },
      ...limitingFields(fields),
      ...this.#limits.marksOf(item),
    ];
    const judge = (found: readonly Mark[]) =>
      visibilityOf({ marks: [...marks, ...found], words: WORDS, dates, now: this.#now });
    const before = judge([]);
    if (before.is === "left out") {
      noted(this.#records, { title, location, seen: before, isEmpty: false });
      return false;
    }
    // Of Squarespace, it is a path.
    const given = decodeIfValid(texts["wp:post_name"] ?? "").replace(/^.*\/|\.html?$/g, "");
    const slug = isSlug(given) ? given : slugFrom(given) || slugFrom(title) || "post";
    const excerpt = textOfHtml(texts["excerpt:encoded"] ?? "");
    const created = date > this.#now ? this.#now : date;
    const { content, ofParts, hidden } = await this.#contentOf(item, location);
    if (hidden.length > 0)
      this.#records.note({
        ...{ ...location, code: "not_public" },
        detail: `“${title}” comes in without blocks that WordPress does not show (“blockVisibility: false”): ${lineOf(hidden.join(", "), 200)}.`,
      });
    const image = await this.#thumbnailOf(meta._thumbnail_id, location);
    const isEmpty = image === null && isEmptyContent(content);
    const visibility = noted(this.#records, { title, location, seen: judge(ofParts), isEmpty });
    const published = visibility.is === "public";
    return this.#records.add("post", {
      location,
      ref,
      source: [texts.title ?? "", texts["excerpt:encoded"] ?? "", withoutShortcodes(shownOf(item))],
      ...(hidden.length > 0 && { hides: `blocks that are hidden there: ${hidden.join(", ")}` }),
      record: {
        ...{ title, content, published },
        created_at: created.toISOString(),
        updated_at: (updated > this.#now ? created : updated).toISOString(),
        published_at: published ? date.toISOString() : null,
        created_by: lineOf(texts["dc:creator"] ?? "", 64) || null,
        publication: {
          ...{ kind: type === "page" ? "page" : "post", slug },
          tags: tagsFrom(terms.filter(isTag).map(({ name }) => name)),
          summary: excerpt === "" ? null : lineOf(excerpt, 1_000),
          publish_at: visibility.is === "scheduled" ? visibility.at.toISOString() : null,
          image,
        },
        redirects: published ? formerPaths(texts, type) : [],
      },
    });
  }

  async #contentOf(
    item: Stored,
    location: RecordLocation,
  ): Promise<{
    readonly content: string;
    readonly ofParts: readonly Mark[];
    readonly hidden: readonly string[];
  }> {
    const given = item.texts["content:encoded"] ?? "";
    const isBlocks = hasBlocks(given);
    const { content, leftOut, hidden, marks } = filledBlocks(given, {
      pattern: (id) => this.#pattern(id),
      footnotes: Object.fromEntries(item.fields).footnotes,
      growth: this.#growth,
    });
    const { html, unknown } = replaceShortcodes(
      isBlocks ? withoutBlockComments(content) : content,
      this.#growth,
      (id) => this.#attachment(id),
      (id) => this.#attached(id ?? item.texts["wp:post_id"] ?? ""),
    );
    for (const name of leftOut) this.#leftOut.add(name, location);
    for (const name of unknown) this.#shortcodes.add(name, location);
    // Squarespace's paths begin at their site, and its texts are whole HTML.
    const isWhole = isBlocks || (item.texts.link ?? "").trim().startsWith("/");
    const shown = isWhole ? html : autop(html);
    const rewritten = await rewriteHtml(shown, (address, isPicture) =>
      this.#picture(address, isPicture, location),
    );
    return {
      content: storable(htmlToPostContent(rewritten)),
      ofParts: [
        ...marks,
        ...limitingElements(content).map((value) => ({ name: "a part", value, hides: true })),
        ...limitingShortcodes(`${content}\n${item.texts["excerpt:encoded"] ?? ""}`),
      ],
      hidden,
    };
  }

  /** The content of a pattern; WordPress shows only public ones. */
  #pattern(id: string): string | undefined {
    const texts = this.#items.find<Stored>("pattern", id)?.texts;
    const isShown = texts?.["wp:status"]?.trim() === "publish" && !texts["wp:post_password"];
    return isShown ? texts["content:encoded"] : undefined;
  }

  /** The pictures that belong to a post, in their order. */
  #attached(postId: string) {
    return this.#items
      .of<Stored>("attachment", postId)
      .flatMap(({ texts }) => this.#attachment(texts["wp:post_id"] ?? "") ?? [])
      .filter(({ url }) => PICTURE.test(url.split(/[?#]/, 1)[0] ?? ""));
  }

  #attachment(id: string) {
    const found = this.#items.find<Stored>("attachment", id);
    const url = found?.texts["wp:attachment_url"];
    if (found === undefined || url === undefined) return undefined;
    const caption = found.texts["excerpt:encoded"] ?? "";
    return { id, url, caption, alt: Object.fromEntries(found.fields)._wp_attachment_image_alt ?? "" };
  }

  /** The new path of an image, also if the post uses a smaller version or links to it. */
  async #picture(address: string, isPicture: boolean, location: RecordLocation): Promise<string | undefined> {
    const [path = ""] = address.split(/[?#]/, 1);
    if (!PICTURE.test(path)) return undefined;
    const name = uploadOf(decodeIfValid(path));
    if (name === path) return undefined;
    const original = name.replace(/-\d+x\d+(?=\.\w+$)/, "");
    const file = [original, original.replace(/(?=\.\w+$)/, "-scaled"), name]
      .map((candidate) => this.#files.get(candidate))
      .find((found) => found !== undefined);
    if (file !== undefined) return this.#pictures.add(file);
    // The others are counted by their sites.
    if (isPicture && pictureUrl(address) === undefined) this.#missing.add(address, location);
    return undefined;
  }

  async #thumbnailOf(id: string | undefined, location: RecordLocation): Promise<string | null> {
    const url = id === undefined ? undefined : this.#attachment(id.trim())?.url;
    if (url === undefined) return null;
    return (await this.#picture(url, true, location)) ?? webUrlOf(url);
  }
}

/**
 * The path of an uploaded file below the folder of uploads, such as `2019/05/sun.jpg`. WordPress.com's addresses and archives of
 * media have years and months alone: `https://blog.files.wordpress.com/2019/05/sun.jpg`.
 */
function uploadOf(path: string): string {
  const folder = path.toLowerCase().indexOf("uploads/");
  if (folder !== -1) return path.slice(folder + "uploads/".length);
  return /(?:^|\/)(\d{4}\/\d\d\/[^/]+)$/.exec(path)?.[1] ?? path;
}

/** The text of a post, with its footnotes. */
function shownOf({ texts, fields }: WxrItem): string {
  const { content } = withoutHiddenBlocks(texts["content:encoded"] ?? "");
  const notes = content.includes("<!-- wp:footnotes")
    ? footnotesOf(Object.fromEntries(fields).footnotes)
    : [];
  return [content, ...notes.map((note) => note.content)].join("\n");
}

/** The category of posts without another, as WordPress names it in English and German. */
const DEFAULT_CATEGORY = /^(?:uncategorized|allgemein)$/i;

/** Leaves out the default category. */
function isTag({ domain, name }: { readonly domain: string; readonly name: string }): boolean {
  return (domain === "category" && !DEFAULT_CATEGORY.test(name)) || domain === "post_tag";
}

/** The paths of a post in WordPress: its permalink, and the one by its id. */
function formerPaths(texts: Readonly<Record<string, string>>, type: string): string[] {
  const link = URL.parse((texts.link ?? "").trim(), "https://blog.invalid");
  const id = texts["wp:post_id"] ?? "";
  const paths = [
    link === null ? "" : link.pathname + link.search,
    `/?${type === "page" ? "page_id" : "p"}=${id}`,
  ];
  return [...new Set(paths.flatMap((path) => redirectPath(path) ?? []))];
}

/** The date of a post: in UTC, with its zone, or else in the zone of the site. WordPress has zeros instead of none. */
function datesOf(texts: Readonly<Record<string, string>>): readonly Mark[] {
  const isNone = (value: string | undefined) => value === undefined || /^\s*(?:0000|$)|\s-0*1\s/.test(value);
  const name = ["wp:post_date_gmt", "pubDate", "wp:post_date"].find((each) => !isNone(texts[each]));
  return name === undefined ? [] : [{ name, value: texts[name] }];
}
