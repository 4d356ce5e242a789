import { redirectPath } from "../../posts/publication/redirects.ts";
import { slugFrom } from "../../posts/publication/slug.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { htmlToPostContent, textOfHtml } from "../html/html-content.ts";
import { type HtmlElement, htmlParts } from "../html/html-parts.ts";
import type { StagedRecords } from "../import/staged-records.ts";
import { csvRows } from "../reading/csv-rows.ts";
import { dateOf, lineOf, storable, webUrlOf } from "../reading/foreign-values.ts";

/** The maximum size of a post, in bytes. */
const POST_MAX = 16 * 1024 * 1024;

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
export async function readSubstack(
  tree: FileTree,
  list: string,
  records: StagedRecords,
  now: Date,
): Promise<void> {
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
    const date = dateOf(row.post_date);
    const isSent = /^true$/i.test(row.is_published ?? "");
    const isForAll = ["everyone", ""].includes(row.audience ?? "");
    const isLater = date !== undefined && date > now;
    if (isSent && isLater)
      records.note({
        ...location,
        code: "not_public",
        detail: `“${title}” has a date in the future: it becomes a draft.`,
      });
    else if (isSent && !isForAll)
      records.note({
        ...location,
        code: "not_public",
        detail: `“${title}” was not for everyone (${row.audience}): it becomes a draft.`,
      });
    const isPublic = isSent && isForAll && !isLater;
    const created = (date !== undefined && date < now ? date : now).toISOString();
    const slug = id.slice(id.indexOf(".") + 1);
    const old = redirectPath(`/p/${slug}`);
    const audio = webUrlOf(row.podcast_url);
    const sound =
      audio === null
        ? ""
        : `<p><a href="${audio.replaceAll('"', "%22").replaceAll("&", "&amp;")}">Audio</a></p>\n`;
    const summary = lineOf(textOfHtml(row.subtitle ?? ""), 1_000);
    records.add("post", {
      location,
      source: [row.title ?? "", row.subtitle ?? "", text],
      record: {
        ...{ title, published: isPublic, created_at: created, updated_at: created },
        content: storable(htmlToPostContent(sound + text)),
        published_at: isPublic ? created : null,
        created_by: null,
        publication: {
          kind: row.type === "page" ? "page" : "post",
          slug: slugFrom(slug) || slugFrom(title) || "post",
          summary: summary === "" ? null : summary,
        },
        redirects: isPublic && old !== undefined ? [old] : [],
      },
    });
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
