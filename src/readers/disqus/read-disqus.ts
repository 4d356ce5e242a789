import { redirectPath } from "../../records/redirect-path.ts";
import type { FileTree } from "../files/file-tree.ts";
import { textOfComment } from "../foreign-records.ts";
import { dateOf, lineOf } from "../reading/foreign-values.ts";
import { flagOf } from "../reading/foreign-visibility.ts";
import { RawItems } from "../reading/raw-items.ts";
import { Tally } from "../reading/tally.ts";
import { textsOf, type XmlElement, type XmlItem, xmlItems } from "../reading/xml-elements.ts";
import type { Staging } from "../staging.ts";

/** Whether a text begins like an export of Disqus. */
export function isDisqus(beginning: string): boolean {
  return /<disqus\b/.test(beginning) && beginning.includes("disqus.com");
}

/** A comment, or the page that has comments: the texts of its elements by name. */
interface DisqusItem {
  /** The line of the file on which it begins. */
  readonly line: number;
  readonly id: string;
  /** The ids of its page, and of the comment to which it replies. */
  readonly thread: string;
  readonly parent: string;
  readonly author: string;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Reads the comments of Disqus. Its file has the addresses of the pages, not the pages: a comment belongs to the post that has its
 * address here.
 * @throws StartError when it is not valid
 */
export async function readDisqus(tree: FileTree, path: string, records: Staging, now: Date): Promise<void> {
  using items = new RawItems();
  for await (const item of xmlItems(tree, path, ["thread", "post"], records))
    items.add(item.name, disqusItem(item), { key: idOf(item) });
  const leftOut = new Tally();
  for await (const { id, line, thread, parent, author: name, texts } of items.all<DisqusItem>("post")) {
    const location = { file: path, line };
    const author = lineOf(name, 100) || "Anonymous";
    const address = addressOf(items.find<DisqusItem>("thread", thread));
    const text = textOfComment(texts.message ?? "", author, location, records);
    const is = (name: string) => (texts[name] ?? "").trim() !== "" && flagOf(texts[name]) !== false;
    if (is("isSpam")) leftOut.add("Spam", location);
    else if (is("isDeleted")) leftOut.add("Deleted", location);
    else if (address === undefined) leftOut.add("Of a page without an address", location);
    else if (text === "") leftOut.add("Without words", location);
    else
      records.add("comment", {
        ...{ location, parent: address },
        ...(id !== "" && { ref: id }),
        record: {
          ...{ author, text, parent: parent || null },
          status: flagOf(texts.isApproved) === false ? "waiting" : "shown",
          created_at: (dateOf(texts.createdAt) ?? now).toISOString(),
        },
      });
  }
  leftOut.report(records, "not_taken", (why, comments) => `${why}: ${comments} left out.`, [
    "comment",
    "comments",
  ]);
}

/** The path of a page; some have none but in the name that the site gave it. */
function addressOf(thread: DisqusItem | undefined): string | undefined {
  for (const text of [thread?.texts.link, thread?.texts.id]) {
    // WordPress' plugin names a page by its number and its address.
    const [address] = /(?<!\S)(?:https?:\/)?\/\S+$/.exec((text ?? "").trim()) ?? [];
    const url = address === undefined ? null : URL.parse(address, "https://blog.invalid");
    const path = url === null ? undefined : redirectPath(url.pathname + url.search);
    if (path !== undefined) return path;
  }
  return undefined;
}

function disqusItem(item: XmlItem): DisqusItem {
  const inside = (name: string) => item.children.find((child) => child.name === name);
  const { link = "", id = "", ...texts } = textsOf(item);
  return {
    ...{ line: item.line, id: idOf(item), thread: idOf(inside("thread")), parent: idOf(inside("parent")) },
    author: inside("author")?.children.findLast(({ name }) => name === "name")?.text ?? "",
    // Each comment reads its page again, so of a page only its addresses are kept.
    texts: item.name === "thread" ? { link, id } : texts,
  };
}

function idOf(element: XmlElement | undefined): string {
  return element?.attributes["dsq:id"] ?? "";
}
