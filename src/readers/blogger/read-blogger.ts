import { posix } from "node:path";
import type { RecordLocation } from "../../records/record.ts";
import { decodeIfValid } from "../../text.ts";
import type { FileTree } from "../files/file-tree.ts";
import { xmlBeginning } from "../files/single-file.ts";
import { addForeignPost, textOfComment } from "../foreign-records.ts";
import { escapedHtml, rewriteHtml } from "../html/html-content.ts";
import { ArchivePictures } from "../pictures/archive-pictures.ts";
import { csvRows } from "../reading/csv-rows.ts";
import { dateOf, lineOf } from "../reading/foreign-values.ts";
import type { Mark, Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import { textsOf, type XmlItem, xmlItems } from "../reading/xml-elements.ts";
import type { Staging } from "../staging.ts";

const BEGINNING = 16_384;

/** Blogger's words for who sees a post. */
const WORDS: Words = { status: { live: "public", draft: "draft", scheduled: "scheduled" } };

/** Who may read a blog: the end of the setting's id, and the name of its column in Takeout's table. */
const ACCESS = /\.BLOG_READ_ACCESS_MODE\s*$/;
const ACCESS_COLUMN = "blog_read_access_mode";
/** Blogger's word for everybody. */
const PUBLIC = "PUBLIC";

/** Whether a text begins like an export of Blogger, of its settings or of Google Takeout. */
export function isBlogger(beginning: string): boolean {
  return /<feed\b/.test(beginning) && /blogger\.com,1999|schemas\.google\.com\/blogger\//.test(beginning);
}

/** The exports of Blogger in an archive or folder: Takeout has one for each blog. */
export async function findBlogger(tree: FileTree): Promise<string[]> {
  const found: string[] = [];
  for (const path of tree.sizes.keys())
    if (/\.(?:xml|atom)$/.test(path) && isBlogger(await xmlBeginning(tree, path, BEGINNING)))
      found.push(path);
  return found.toSorted();
}

/**
 * Reads the posts, pages and comments of Blogger: the Atom file of its settings, or Google Takeout's.
 * @throws StartError when one is not valid
 */
export async function readBlogger(
  tree: FileTree,
  paths: readonly string[],
  records: Staging,
  now: Date,
): Promise<void> {
  const reader = new BloggerReader(tree, records, now);
  for (const path of paths) {
    reader.limits = await readersOf(tree, path);
    for await (const entry of xmlItems(tree, path, ["entry"], records))
      await reader.add(atomEntry(entry), path);
  }
  reader.report();
}

/** Who may read a blog that is not for everybody: of its settings, which may stand behind the posts, or beside them. */
async function readersOf(tree: FileTree, path: string): Promise<readonly Mark[]> {
  const found: { readonly value: string; readonly from?: string }[] = [];
  for await (const { children } of xmlItems(tree, path, ["entry"], undefined)) {
    const { id = "", content = "" } = textsOf({ children });
    if (ACCESS.test(id)) found.push({ value: content.trim() });
  }
  const table = posix.join(posix.dirname(path), "settings.csv");
  if (tree.sizes.has(table)) {
    const rows = await csvRows(tree, table);
    const values = rows.length === 0 ? [""] : rows.map(({ row }) => row[ACCESS_COLUMN]?.trim() ?? "");
    found.push(...values.map((value) => ({ value, from: table })));
  }
  return found
    .filter(({ value }) => value.toUpperCase() !== PUBLIC)
    .slice(0, 1)
    .map((mark) => ({ name: "BLOG_READ_ACCESS_MODE", ...mark, hides: true }));
}

/** An entry of Blogger's export: the texts of its elements by name, and the attributes of repeated ones. */
interface AtomEntry {
  /** The line of the file on which it begins. */
  readonly line: number;
  /** Such as `title`, `content`, `blogger:type`. */
  readonly texts: Readonly<Record<string, string>>;
  readonly author: string;
  readonly labels: readonly string[];
  /** What it is in older exports, such as `post`. */
  readonly kind: string;
  readonly links: readonly Readonly<Record<string, string>>[];
  /** The id of the post to which a comment belongs. */
  readonly post: string;
  readonly isHtml: boolean;
}

const KIND = "http://schemas.google.com/g/2005#kind";

function atomEntry(entry: XmlItem): AtomEntry {
  const inside = (name: string) => entry.children.filter((child) => child.name === name);
  const attributes = (name: string) => inside(name).map((child) => child.attributes);
  const categories = attributes("category");
  // `app:control`, by whatever prefix.
  const control = entry.children.find(({ name }) => /(?:^|:)control$/.test(name));
  return {
    line: entry.line,
    texts: { ...textsOf(entry), ...(control && textsOf(control)) },
    author: textsOf({ children: inside("author").flatMap(({ children }) => children) }).name ?? "",
    labels: categories.flatMap(({ scheme, term = "" }) => (scheme === KIND ? [] : [term])),
    kind: (categories.find(({ scheme }) => scheme === KIND)?.term ?? "").replace(/^.*#/, ""),
    links: attributes("link"),
    post: attributes("thr:in-reply-to")[0]?.ref ?? "",
    isHtml: attributes("content")[0]?.type !== "text",
  };
}

class BloggerReader {
  readonly #records: Staging;
  readonly #now: Date;
  readonly #pictures: ArchivePictures;
  /** The pictures of Takeout's albums by name; undefined for a name that several have. */
  readonly #albums = new Map<string, string | undefined>();
  /** What hides the whole blog that is read. */
  limits: readonly Mark[] = [];
  readonly #others = new Tally();
  readonly #places = new Tally();

  constructor(tree: FileTree, records: Staging, now: Date) {
    this.#records = records;
    this.#now = now;
    this.#pictures = new ArchivePictures(tree, records, now);
    for (const path of tree.sizes.keys()) {
      const name = posix.basename(path);
      if (/(?:^|\/)Albums\//.test(path) && /\.(?:jpe?g|png|webp|gif)$/i.test(name))
        this.#albums.set(name, this.#albums.has(name) ? undefined : path);
    }
  }

  async add(entry: AtomEntry, path: string): Promise<void> {
    const { texts, kind, line } = entry;
    const location = { file: path, line };
    const type = (texts["blogger:type"] ?? kind).trim().toLowerCase();
    if (type === "comment") this.#addComment(entry, location);
    else if (type === "post" || type === "page") await this.#addPost(entry, type, location);
    else this.#others.add(type, location);
  }

  report(): void {
    this.#others.report(
      this.#records,
      "not_taken",
      (type, entries) => `Entries of the type “${type}” are not imported (${entries}).`,
      ["entry", "entries"],
    );
    const report = (tally: Tally, verb: string, nouns: readonly [string, string]) =>
      tally.report(
        this.#records,
        "not_taken",
        (what, count) => `${what} ${verb} not imported (${count}).`,
        nouns,
      );
    report(this.#places, "are", ["post", "posts"]);
  }

  async #addPost(entry: AtomEntry, type: "post" | "page", location: RecordLocation): Promise<void> {
    const { texts, author, labels, links } = entry;
    const title = lineOf(texts.title ?? "", 500) || "Untitled";
    const status = statusOf(entry);
    if (status === "trashed") {
      this.#records.skip("post", location, title, "status", "Skipped: it is in the trash of Blogger.");
      return;
    }
    for (const name of ["georss:point", "blogger:location"])
      if (texts[name] !== undefined) this.#places.add("Places", location);
    const address = links.find(({ rel }) => rel === "alternate")?.href ?? texts["blogger:filename"] ?? "";
    const oldPath = URL.parse(address.trim(), "https://blog.invalid")?.pathname ?? "";
    addForeignPost(
      this.#records,
      {
        ...{ location, title, oldPath, author, kind: type, tags: labels },
        ref: (texts.id ?? "").trim(),
        source: [escapedHtml(texts.title ?? ""), htmlOf(entry)],
        html: await rewriteHtml(htmlOf(entry), (address) => this.#picture(address)),
        updated: dateOf(texts.updated),
        seen: {
          marks: [{ name: "status", value: status }, ...membersOf(texts), ...this.limits],
          words: WORDS,
          dates: [{ name: "published", value: texts.published }],
          schedules: true,
        },
        name: decodeIfValid(posix.basename(oldPath)).replace(/\.html?$/, ""),
        summary: texts["blogger:metaDescription"] ?? "",
      },
      this.#now,
    );
  }

  /** The picture of an album with the name of the one that a post shows. */
  async #picture(address: string): Promise<string | undefined> {
    const name = decodeIfValid(posix.basename(URL.parse(address)?.pathname ?? ""));
    const file = this.#albums.get(name) ?? this.#albums.get(name.replaceAll("+", " "));
    return file === undefined ? undefined : this.#pictures.add(file);
  }

  #addComment(entry: AtomEntry, location: RecordLocation): void {
    const { texts, links, post } = entry;
    const author = lineOf(entry.author, 100) || "Anonymous";
    const status = statusOf(entry);
    if (status !== "live" && status !== "waiting") {
      this.#records.skip("comment", location, author, "status", `Its status at Blogger is “${status}”.`);
      return;
    }
    const repliesTo = links.find(({ rel }) => rel === "related")?.href ?? texts["blogger:inReplyTo"] ?? "";
    const text = textOfComment(texts.content ?? "", author, location, this.#records);
    this.#records.add("comment", {
      location,
      parent: (post || texts["blogger:parent"] || "").trim(),
      ref: commentRef(texts.id ?? ""),
      record: {
        ...{ author, text },
        status: status === "live" ? "shown" : "waiting",
        created_at: (dateOf(texts.published) ?? this.#now).toISOString(),
        parent: commentRef(repliesTo) || null,
      },
    });
  }
}

/** Elements that are no members of a post that it could be hidden by: `status` is read apart, and there are dates. */
const OTHERS = new Set(["status", "published", "created"]);

/** The elements of an entry by their names without prefixes. */
function membersOf(texts: AtomEntry["texts"]): readonly Mark[] {
  return Object.entries(texts)
    .map(([name, value]) => ({ name: name.replace(/^.*:/, ""), value }))
    .filter(({ name }) => !OTHERS.has(name));
}

function htmlOf({ texts, isHtml }: AtomEntry): string {
  const given = texts.content ?? "";
  return isHtml ? given : escapedHtml(given);
}

/** The number at the end of a comment's id; another comment names it by the end of its address, or by the id. */
function commentRef(name: string): string {
  return /\d{0,20}$/.exec(name.trim())?.[0] ?? "";
}

/** `live`, `draft`, `scheduled`, `waiting`, `trashed`, or another status of Blogger in small letters. */
function statusOf({ texts }: AtomEntry): string {
  const status = (texts["blogger:status"] ?? "").trim().toLowerCase();
  if ((texts["blogger:trashed"] ?? "").trim() !== "" || status.includes("trash")) return "trashed";
  if (status === "pending") return "waiting";
  return status === "" ? "live" : status;
}
