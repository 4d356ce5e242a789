import type { FileTree } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { escapedHtml } from "../html/html-content.ts";
import { htmlParts } from "../html/html-parts.ts";
import { addForeignPost } from "../import/foreign-records.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { type CsvRow, csvRows } from "../reading/csv-rows.ts";
import { dateOf, lineOf, webUrlOf } from "../reading/foreign-values.ts";
import { Tally } from "../reading/tally.ts";
import { wixContent, wixPicture } from "./wix-content.ts";

/** A post as a row of a table has it. */
interface TablePost {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  /** Its text in another form, if the table has one. */
  readonly source: string;
  /** Why it is a draft, as a clause; undefined for one that was public; empty for one that was a draft there. */
  readonly hidden: string | undefined;
  readonly date: Date | undefined;
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
  post(row: CsvRow["row"], leaveOut: (name: string) => void): TablePost;
}

const beehiiv: TableFormat = {
  name: "beehiiv",
  columns: ["web_title", "content_html"],
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
    const audience = [row.audience, row.web_audiences].filter(Boolean).join(", ");
    const picture = row.thumbnail_url ?? "";
    return {
      title: row.web_title ?? "",
      summary: row.web_subtitle ?? "",
      html: plain,
      source: text,
      hidden:
        row.status !== "confirmed"
          ? ""
          : /premium|paid/i.test(audience)
            ? `was not for everyone (${audience})`
            : undefined,
      date: dateOf(row.created_at),
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
  post(row, leaveOut) {
    const plain = row["Plain Content"] ?? "";
    const paragraphs = plain.split(/\n+/).map((line) => `<p>${escapedHtml(line)}</p>`);
    const date = dateOf(row["Published Date"]);
    return {
      title: row.Title ?? "",
      summary: row.Excerpt ?? "",
      html: wixContent(row["Rich Content"] ?? "", leaveOut) ?? paragraphs.join("\n"),
      source: escapedHtml(plain),
      hidden: date !== undefined ? undefined : row["Published Date"] ? "has a date that cannot be read" : "",
      date,
      address: row["Post Page URL"] ?? "",
      tags: [row["Main Category"] ?? "", ...(row.Categories ?? "").split(/[,;]/)].filter(
        // Some have the ids of categories.
        (name) => !/^\W*[0-9a-f][0-9a-f-]{22,34}[0-9a-f]\W*$/i.test(name),
      ),
      image: wixPicture(row["Cover Image"] ?? ""),
      author: row.Author ?? "",
    };
  },
};

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
  records: StagedRecords,
  now: Date,
): Promise<void> {
  const leftOut = new Tally();
  const undated = new Tally();
  for (const { row, line } of await csvRows(tree, path)) {
    const location = { file: path, line };
    const post = format.post(row, (name) => leftOut.add(name, location));
    const title = lineOf(post.title, 500);
    if (post.hidden === undefined && post.date === undefined) undated.add("", location);
    const oldPath = URL.parse(post.address.trim(), "https://blog.invalid")?.pathname ?? "";
    addForeignPost(
      records,
      {
        ...{ ...post, location, title, oldPath, image: webUrlOf(post.image) },
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
