import type { BlogFormat } from "./blog-formats.ts";
import { findBlogger, isBlogger, readBlogger } from "./blogger/read-blogger.ts";
import { recognizeLinkList } from "./bookmarks/links/link-list.ts";
import { BEGINNING as LINKS_BEGINNING } from "./bookmarks/recognize.ts";
import { isDisqus, readDisqus } from "./disqus/read-disqus.ts";
import { isFeed, readFeed } from "./feed/read-feed.ts";
import type { FileTree } from "./files/file-tree.ts";
import { beginningOf, xmlBeginning } from "./files/single-file.ts";
import { UnreadableFile } from "./files/unreadable-file.ts";
import { findGhost, isGhost, readGhost } from "./ghost/read-ghost.ts";
import { findJsonPosts, readJsonPosts } from "./json-posts/read-json-posts.ts";
import { hasMarkdown, readMarkdown } from "./markdown/read-markdown.ts";
import { findMedium, readMedium } from "./medium/read-medium.ts";
import { findMovableType, readMovableType } from "./movable-type/read-movable-type.ts";
import type { Staging } from "./staging.ts";
import { findSubstack, readSubstack } from "./substack/read-substack.ts";
import { findTables, readTable } from "./tables/read-table.ts";
import { findWordPress, readWordPress } from "./wordpress/read-wordpress.ts";
import { isWxr } from "./wordpress/wxr-items.ts";

/** The number of bytes inspected to detect the format of a file. */
const BEGINNING = 4 * 1024;

/** The same for XML, which may begin with a long comment. */
const XML_BEGINNING = 16 * 1024;

/** A blog whose format is known. */
export interface Blog {
  readonly format: BlogFormat;
  read(records: Staging): Promise<void>;
}

/**
 * Recognizes a blog by its content, not by the names of its files.
 * @param folder the name of the folder, which no path has
 * @returns undefined when it has none of the formats
 * @throws UnreadableFile that names the program of one that is not read
 */
export async function recognizeBlog(tree: FileTree, now: Date, folder = ""): Promise<Blog | undefined> {
  const [only] = tree.sizes.keys();
  const isAlone = tree.sizes.size === 1 && only !== undefined;
  const ghost = isAlone && isGhost(await beginningOf(tree, only, BEGINNING)) ? only : await findGhost(tree);
  if (ghost !== undefined)
    return { format: "ghost", read: (records) => readGhost(tree, ghost, records, now) };
  const isExport = isAlone && isWxr(await xmlBeginning(tree, only, XML_BEGINNING));
  const exports = isExport ? [only] : await findWordPress(tree);
  if (exports.length > 0)
    return { format: "wordpress", read: (records) => readWordPress(tree, exports, records, now) };
  const isBackup = isAlone && isBlogger(await xmlBeginning(tree, only, XML_BEGINNING));
  const feeds = isBackup ? [only] : await findBlogger(tree);
  if (feeds.length > 0)
    return { format: "blogger", read: (records) => readBlogger(tree, feeds, records, now) };
  if (isAlone && isDisqus(await xmlBeginning(tree, only, XML_BEGINNING)))
    return { format: "disqus", read: (records) => readDisqus(tree, only, records, now) };
  if (isAlone && isFeed(await xmlBeginning(tree, only, XML_BEGINNING)))
    return { format: "feed", read: (records) => readFeed(tree, only, records, now) };
  const substack = await findSubstack(tree);
  if (substack !== undefined)
    return { format: "substack", read: (records) => readSubstack(tree, substack, records, now) };
  const tables = await findTables(tree);
  if (tables[0] !== undefined)
    return {
      format: tables[0].format.name,
      read: async (records) => {
        for (const table of tables) await readTable(tree, table, records, now);
      },
    };
  const medium = await findMedium(tree);
  if (medium.length > 0)
    return { format: "medium", read: (records) => readMedium(tree, medium, records, now) };
  const json = isAlone || !hasMarkdown(tree) ? await findJsonPosts(tree) : undefined;
  if (json !== undefined)
    return { format: json.format.name, read: (records) => readJsonPosts(tree, json, records, now) };
  const entries = isAlone || !hasMarkdown(tree) ? await findMovableType(tree) : [];
  if (entries.length > 0)
    return { format: "movable-type", read: (records) => readMovableType(tree, entries, records, now) };
  // Bookmarks, which the other importer takes: as a post they would be text.
  if (isAlone && recognizeLinkList(await beginningOf(tree, only, LINKS_BEGINNING), LINKS_BEGINNING))
    return undefined;
  if (hasMarkdown(tree))
    return { format: "markdown", read: (records) => readMarkdown(tree, records, now, folder) };
  const unread = UNREAD.find(({ isIt }) => isIt([...tree.sizes.keys()]));
  if (unread !== undefined) throw new UnreadableFile(unread.unread);
  return undefined;
}

/** Archives of blogs that are not read, by the paths of their files. */
const UNREAD: readonly { isIt(paths: readonly string[]): boolean; readonly unread: string }[] = [
  {
    isIt: (paths) => paths.some((path) => /(?:^|\/)posts\/html\/\d+\.html$/.test(path)),
    unread:
      "is an export of Tumblr, which is not read: import the blog into WordPress, and take the export from there",
  },
  {
    isIt: (paths) =>
      paths.length > 0 &&
      paths.every((path) => /^(?:[\w-]+\/)?(?:[a-z\d-]+_)?[a-z\d]{10,16}\.txt$/.test(path)),
    unread: "is WriteFreely's archive of texts, which do not say who sees them: take its JSON",
  },
];
