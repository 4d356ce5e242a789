import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { addForeignPost } from "../foreign-records.ts";
import { type HtmlElement, htmlParts } from "../html/html-parts.ts";
import { lineOf } from "../reading/foreign-values.ts";
import type { Staging } from "../staging.ts";

/** The maximum size of a post, in bytes. */
const POST_MAX = 16 * 1024 * 1024;

/** The classes of microformats by which the parts of a post are found. */
const PARTS = ["p-name", "p-summary", "e-content", "p-tag", "p-author", "dt-published", "p-canonical"];
/** The title in the text of a post. */
const TITLE = "graf--title";

/** The posts of Medium's export in an archive or folder. */
export async function findMedium(tree: FileTree): Promise<string[]> {
  const paths = [...tree.sizes.keys()].filter((path) => /(?:^|\/)posts\/[^/]+\.html$/.test(path)).toSorted();
  const [first] = paths;
  if (first === undefined) return [];
  const beginning = await beginningOf(tree, first, 4_096);
  return /<article\s[^<>]*h-entry/.test(beginning) && beginning.includes("p-name") ? paths : [];
}

/** Reads the posts of Medium's export: a page of HTML with microformats for each. */
export async function readMedium(
  tree: FileTree,
  paths: readonly string[],
  records: Staging,
  now: Date,
): Promise<void> {
  for (const path of paths) {
    const location = { file: path, line: 1 };
    const html = (await readTreeFile(tree, path, POST_MAX)).toString();
    let hasTitle = false;
    const { parts } = htmlParts(html, partOf, (element) => {
      hasTitle ||= element.classes.includes(TITLE);
      return isLeftOut(element);
    });
    const whole = htmlParts(
      html,
      ({ classes }) => (classes.includes("e-content") ? "e-content" : undefined),
      () => false,
    );
    const part = (name: string) => parts.get(name)?.[0];
    const title = lineOf(part("p-name")?.text ?? "", 500);
    const body = part("e-content");
    const date = part("dt-published")?.element.attribute("datetime") ?? "";
    const isDraft = /^draft_/.test(path.slice(path.lastIndexOf("/") + 1)) || date.trim() === "";
    // A response has no title of its own: Medium takes its first words.
    const isResponse = !hasTitle && lineOf(body?.text ?? "", 10_000).startsWith(lineOf(title, 60));
    const oldPath = URL.parse(part("p-canonical")?.element.attribute("href") ?? "")?.pathname ?? "";
    addForeignPost(
      records,
      {
        ...{ location, title, oldPath, author: part("p-author")?.text ?? "" },
        source: [whole.parts.get("e-content")?.[0]?.html ?? ""],
        html: body?.html ?? "",
        seen: { marks: [], words: {}, dates: [{ name: "datetime", value: date }] },
        hidden: isDraft ? "" : isResponse ? "looks like a response to a post" : undefined,
        name: oldPath.replace(/^.*\/|-[0-9a-f]{8,16}$/g, ""),
        tags: (parts.get("p-tag") ?? []).map(({ text }) => text),
        summary: part("p-summary")?.text ?? "",
      },
      now,
    );
  }
}

function partOf({ classes }: HtmlElement): string | undefined {
  return PARTS.find((name) => classes.includes(name));
}

/** Title and subtitle, which the page has anyway, and the line above each section. */
function isLeftOut({ classes }: HtmlElement): boolean {
  return [TITLE, "graf--subtitle", "section-divider"].some((name) => classes.includes(name));
}
