import type { FileTree } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { addForeignPost } from "../foreign-records.ts";
import { escapedHtml } from "../html/html-content.ts";
import { htmlParts } from "../html/html-parts.ts";
import { type CsvRow, csvRows } from "../reading/csv-rows.ts";
import { lineOf, webUrlOf } from "../reading/foreign-values.ts";
import { isUndated, type Mark, type Words } from "../reading/foreign-visibility.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";
import { wixContent, wixPicture } from "./wix-content.ts";

/** A post as a row of a table has it. */
interface TablePost {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  /** Its text in another form, if the table has one. */
  readonly source: string;
  /** What the table says of who sees it, besides its columns. */
  readonly marks?: readonly Mark[];
  readonly dates: readonly Mark[];
  /** Whether it was a draft there. */
  readonly isDraft?: boolean;
  /** Its address there. */
  readonly address: string;
  readonly tags: readonly string[];
  readonly image: string | undefined;
  readonly author: string;
}

/** A program whose export is a table with a row for each post. */
interface TableFormat {
  readonly name: "beehiiv" | "wix";
  /** Columns that no other table has. */
  readonly columns: readonly string[];
  /** Its words for who sees a post. */
  readonly words: Words;
  post(row: CsvRow["row"], leaveOut: (name: string) => void): TablePost;
}

const beehiiv: TableFormat = {
  name: "beehiiv",
  columns: ["web_title", "content_html"],
  words: {
    status: { confirmed: "public", draft: "draft" },
    audience: { free: "public", all: "public", everyone: "public" },
    hiddenfromfeed: { false: "public", no: "public", "0": "public" },
  },
  post(row) {
    const html = row.content_html ?? "";
    // Around the text is the page of an email.
    const { parts } = htmlParts(
      html,
      (element) => (element.attribute("id") === "content-blocks" ? "text" : undefined),
      ({ attribute }) => /display\s*:\s*none/.test(attribute("style") ?? ""),
    );
    const text = parts.get("text")?.[0]?.html ?? html;
    // Its tables are layout, unless one has headings.
    const plain = /<th\b/i.test(text) ? text : text.replaceAll(/<\/?(?:table|tbody|tr|td)\b[^<>]*>/gi, "\n");
    // The free one is everybody, whoever else is named.
    const web = (row.web_audiences ?? "").split(/[,;|]/).map((name) => name.trim());
    const isForAll = web.some((name) => /^(?:free|all|everyone)?$/i.test(name));
    const picture = row.thumbnail_url ?? "";
    return {
      title: row.web_title ?? "",
      summary: row.web_subtitle ?? "",
      html: plain,
      source: text,
      marks: [
        { name: "status", value: row.status || "none" },
        ...(isForAll ? [] : [{ name: "web_audiences", value: row.web_audiences, hides: true }]),
      ],
      dates: ["created_at", "publish_date", "published_at", "scheduled_at"].map((name) => ({
        ...{ name, value: row[name] },
      })),
      address: row.url ?? "",
      tags: (row.content_tags ?? "").split(";"),
      image: picture.startsWith("uploads/")
        ? `https://media.beehiiv.com/cdn-cgi/image/quality=100/${picture}`
        : picture,
      author: "",
    };
  },
};

const wix: TableFormat = {
  name: "wix",
  columns: ["Plain Content", "Rich Content", "Post Page URL"],
  words: { status: { published: "public", draft: "draft" } },
  post(row, leaveOut) {
    const plain = row["Plain Content"] ?? "";
    const paragraphs = plain.split(/\n+/).map((line) => `<p>${escapedHtml(line)}</p>`);
    const date = row["Published Date"] ?? "";
    return {
      title: row.Title ?? "",
      summary: row.Excerpt ?? "",
      html: wixContent(row["Rich Content"] ?? "", leaveOut) ?? paragraphs.join("\n"),
      source: escapedHtml(plain),
      dates: [{ name: "Published Date", value: date }],
      isDraft: date.trim() === "",
      address: row["Post Page URL"] ?? "",
      tags: [row["Main Category"], row.Categories, row.Tags, row.Hashtags].flatMap(namesIn).filter(
        // Some have the ids of categories.
        (name) => !/^\W*[0-9a-f][0-9a-f-]{22,34}[0-9a-f]\W*$/i.test(name),
      ),
      image: wixPicture(row["Cover Image"] ?? ""),
      author: row.Author ?? "",
    };
  },
};

/** The names in a column, also of a JSON array. */
function namesIn(column = ""): string[] {
  return column.replaceAll(/["[\]]/g, "").split(/[,;]/);
}

const FORMATS = [beehiiv, wix];

/** A table of posts in an archive or folder, and the program that it is of. */
export interface PostTable {
  readonly path: string;
  readonly format: TableFormat;
}

/** The tables of posts in an archive or folder, all of the program of the first one. */
export async function findTables(tree: FileTree): Promise<PostTable[]> {
  const tables: PostTable[] = [];
  for (const path of tree.sizes.keys()) {
    if (tree.sizes.size > 1 && !path.endsWith(".csv")) continue;
    const [header = ""] = (await beginningOf(tree, path, 2_000)).split(/\r?\n/, 1);
    const columns = new Set(
      header
        .replace(/^\ufeff/, "")
        .split(",")
        .map((name) => name.replaceAll('"', "").trim()),
    );
    const format = FORMATS.find((each) => each.columns.every((name) => columns.has(name)));
    if (format !== undefined) tables.push({ path, format });
  }
  return tables.filter(({ format }) => format === tables[0]?.format);
}

/**
 * Reads the posts of a table.
 * @throws StartError when it is not valid CSV
 */
export async function readTable(
  tree: FileTree,
  { path, format }: PostTable,
  records: Staging,
  now: Date,
): Promise<void> {
  const leftOut = new Tally();
  const undated = new Tally();
  for (const { row, line } of await csvRows(tree, path)) {
    const location = { file: path, line };
    const post = format.post(row, (name) => leftOut.add(name, location));
    const title = lineOf(post.title, 500);
    const { marks = [], dates, isDraft, ...given } = post;
    if (!isDraft && isUndated(dates)) undated.add("", location);
    const columns = Object.entries(row).map(([name, value]) => ({ name, value }));
    const oldPath = URL.parse(post.address.trim(), "https://blog.invalid")?.pathname ?? "";
    addForeignPost(
      records,
      {
        ...{ ...given, location, title, oldPath, image: webUrlOf(post.image) },
        seen: { marks: [...columns, ...marks], words: format.words, dates },
        hidden: isDraft ? "" : undefined,
        source: [post.summary, post.source],
        name: row.Slug || oldPath.replace(/^.*\//, ""),
      },
      now,
    );
  }
  undated.report(
    records,
    "date_missing",
    (_, posts) => `Without a date that can be read: ${posts}. The import time is used instead.`,
  );
  leftOut.report(records, "not_taken", (name, parts) => `Left out: ${parts} of the kind “${name}”.`, [
    "part",
    "parts",
  ]);
}
