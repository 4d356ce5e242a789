import { StartError } from "../../errors.ts";
import { printable } from "../../printable.ts";
import { type FileTree, readTreeFile } from "../files/file-tree.ts";
import { beginningOf } from "../files/single-file.ts";
import { htmlToPostContent } from "../html/html-content.ts";
import { csvRows } from "../reading/csv-rows.ts";
import type { FrontMatter } from "./front-matter.ts";

/** The maximum size of the list, in bytes. */
const LIST_MAX = 16 * 1024 * 1024;

/** Titles, dates and slugs of the emails of Buttondown, by the paths of their files. */
export type EmailList = ReadonlyMap<string, EmailMembers>;
type EmailMembers = Readonly<Record<string, unknown>>;

/**
 * Reads the list of emails in an export of Buttondown, which is beside the folder of their texts. These have no front matter.
 * @throws StartError when it is not valid CSV or JSON
 */
export async function readEmailList(tree: FileTree): Promise<EmailList> {
  const list = new Map<string, EmailMembers>();
  for (const path of tree.sizes.keys()) {
    const [, folder = "", end] = /^((?:.*\/)?)emails\.(csv|json)$/.exec(path) ?? [];
    if (end === undefined) continue;
    const beginning = await beginningOf(tree, path, 2_000);
    if (!/\bsubject\b/.test(beginning) || !/\bpublish_date\b/.test(beginning)) continue;
    const rows = end === "csv" ? await csvRows(tree, path) : await jsonRows(tree, path);
    for (const { row } of rows) {
      const { slug, id, subject, publish_date, status, email_type } = row;
      const name = slug || id;
      list.set(`${folder}emails/${name}.md`, {
        ...{ title: subject, slug },
        ...(publish_date ? { date: publish_date } : { draft: true }),
        ...(status && { status }),
        ...(email_type && { email_type }),
      });
    }
  }
  return list;
}

async function jsonRows(
  tree: FileTree,
  path: string,
): Promise<{ row: Record<string, string | undefined> }[]> {
  const text = (await readTreeFile(tree, path, LIST_MAX)).toString();
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.map((row) => ({ row: row ?? {} })) : [];
  } catch (error) {
    throw new StartError(`${printable(path)} is not valid JSON. Nothing was imported.`, 2, error);
  }
}

/** The mark before a text; what is behind it in its line would be part of a comment. */
const MARK = /^\s*<!-- buttondown-editor-mode: (\w+) -->/;

/** An email with its members, and without the mark of the editor; the one of the editor without Markdown is HTML. */
export function asEmail(parts: FrontMatter, members: EmailMembers | undefined): FrontMatter {
  const mark = MARK.exec(parts.content);
  const content = mark === null ? parts.content : parts.content.slice(mark[0].length);
  return {
    ...parts,
    content: mark?.[1] === "fancy" ? htmlToPostContent(content) : content,
    members: parts.members ?? members,
  };
}
