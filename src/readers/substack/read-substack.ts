import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { addForeignPost } from "../foreign-records.ts";
import { escapedHtml, textOfHtml } from "../html/html-content.ts";
import { type HtmlElement, htmlParts } from "../html/html-parts.ts";
import { csvRows } from "../reading/csv-rows.ts";
import { lineOf, webUrlOf } from "../reading/foreign-values.ts";
import type { Words } from "../reading/foreign-visibility.ts";
import type { Staging } from "../staging.ts";

/** The maximum size of a post, in bytes. */
const POST_MAX = 16 * 1024 * 1024;

/** What is for all readers of the site; a separate type is for emails alone. */
const WORDS: Words = {
  audience: { everyone: "public" },
  type: { newsletter: "public", podcast: "public", thread: "public", video: "public", page: "public" },
};

/** The list of posts of Substack's export in an archive or folder. */
export async function findSubstack(tree: FileTree): Promise<string | undefined> {
  for (const path of tree.sizes.keys())
    if (
      /(?:^|\/)posts\.csv$/.test(path) &&
      /^\ufeff?post_id,post_date,is_published,/.test(await beginningOf(tree, path, 200))
    )
      return path;
  return undefined;
}

/**
 * Reads the posts of Substack's export: a list in CSV, and a file of HTML for each post.
 * @throws StartError when the list is not valid
 */
export async function readSubstack(tree: FileTree, list: string, records: Staging, now: Date): Promise<void> {
  const folder = list.slice(0, -"posts.csv".length);
  let buttons = 0;
  for (const { row, line } of await csvRows(tree, list)) {
    const location = { file: list, line };
    const id = row.post_id ?? "";
    const path = `${folder}posts/${id}.html`;
    const title = lineOf(textOfHtml(row.title ?? ""), 500) || "Untitled";
    if (!tree.sizes.has(path)) {
      records.skip("post", location, title, "no_html", "Skipped: its text is not in the archive.");
      continue;
    }
    const html = (await readTreeFile(tree, path, POST_MAX)).toString();
    const { html: text } = htmlParts(
      html,
      () => undefined,
      (element) => {
        const isButton = isLeftOut(element);
        if (isButton) buttons++;
        return isButton;
      },
    );
    const slug = id.slice(id.indexOf(".") + 1);
    const audio = webUrlOf(row.podcast_url);
    const sound = audio === null ? "" : `<p><a href="${escapedHtml(audio)}">Audio</a></p>\n`;
    addForeignPost(
      records,
      {
        ...{ location, title, html: sound + text, name: slug, oldPath: `/p/${slug}` },
        source: [row.title ?? "", row.subtitle ?? "", text],
        seen: {
          marks: [
            ...Object.entries(row).map(([name, value]) => ({ name, value })),
            { name: "is_published", value: row.is_published ?? "" },
            { name: "audience", value: row.audience === "" ? "none" : row.audience },
            // The rest of a text that is for payers alone.
            ...(/class="[^"<>]{0,500}paywall/i.test(html)
              ? [{ name: "paywall", value: undefined, hides: true }]
              : []),
          ],
          words: WORDS,
          dates: [{ name: "post_date", value: row.post_date }],
        },
        kind: row.type === "page" ? "page" : "post",
        summary: textOfHtml(row.subtitle ?? ""),
      },
      now,
    );
  }
  if (buttons > 0)
    records.note({
      ...{ file: list, line: 1, code: "not_taken" },
      detail: `Left out: ${buttons === 1 ? "1 button" : `${buttons} buttons`} to subscribe, share or comment at Substack.`,
    });
}

/** Buttons and forms, which lead to Substack. */
function isLeftOut({ classes }: HtmlElement): boolean {
  return ["button-wrapper", "subscription-widget-wrap", "subscription-widget"].some((name) =>
    classes.includes(name),
  );
}
