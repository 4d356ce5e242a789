import { Argument, Command } from "commander";
import { type Bookmark, BookmarkCreate, toDetails, withScheme } from "../../bookmarks/bookmark.ts";
import { findBookmarks } from "../../bookmarks/bookmark-store.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { findOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import { readSetting } from "../../config/read-config.ts";
import { requestAdded } from "../../copies/fetching/request-fetch.ts";
import type { Database } from "../../database/database.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { TITLE_MAX } from "../../records/bookmark-members.ts";
import { withTags } from "../../tags/retag.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { print, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";

interface Flags extends DatabaseFlags {
  readonly title?: string;
  readonly description: string;
  readonly tag?: readonly string[];
  readonly json?: boolean;
}

/** `commonplace add`: exit code 2 for a bookmark that is not valid. */
export function addCommand(): Command {
  return new Command("add")
    .description("Save a bookmark. The server may be running.")
    .addArgument(new Argument("<url>", "an http or https URL; https:// may be left out"))
    .option("--title <title>", "the title; default: the URL")
    .option("--description <text>", "the description", "")
    .option("--tag <name>", "a tag; repeat for more", (name, names: readonly string[] = []) => [
      ...names,
      name,
    ])
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(add);
}

async function add(typed: string, { title, description, tag = [], json, ...flags }: Flags): Promise<void> {
  const names = tag.map((given) => {
    const name = makeTagName(given);
    if (name === null) throw new StartError(`--tag: nothing in "${printable(given)}" can be a tag name.`, 2);
    return name;
  });
  const url = withScheme(typed);
  const fields = BookmarkCreate.safeParse({
    url,
    title: title ?? Array.from(url).slice(0, TITLE_MAX).join(""),
    description: names.length === 0 ? description : withTags(description, names),
  });
  if (!fields.success) {
    const [issue] = fields.error.issues;
    throw new StartError(`${issue?.path.join(".")}: ${issue?.message}`, 2);
  }
  const [bookmark, same] = await withDatabase(
    flags,
    async (database) => {
      const same = await findSamePage(database, fields.data.url);
      const bookmark = await database.write(async (sql) => {
        const now = new Date();
        const added = await insertBookmark(sql, fields.data, undefined, now);
        if (readSetting("fetchPages", process.env) === "on")
          await requestAdded(sql, added.id, undefined, now);
        return added;
      });
      return [bookmark, same] as const;
    },
    { create: true },
  );
  if (json) return print(printableJson(toDetails(bookmark, ["tags"])));
  await print(`Saved ${printable(bookmark.url)} as bookmark ${bookmark.id}.`);
  if (same.length === 0) return;
  printRemark("This page was saved before:");
  for (const { id, title, url, createdAt } of same)
    printRemark(`  ${id}  ${createdAt.toISOString().slice(0, 10)}  ${printable(title)}  <${printable(url)}>`);
  printRemark("To merge them, open Duplicates in the library (/library/duplicates).");
}

/** The bookmarks of a page, the newest first. */
async function findSamePage(database: Database, url: string): Promise<readonly Bookmark[]> {
  const { ids } = await findOfPage(database.read, url);
  const found = ids.length === 0 ? new Map<number, Bookmark>() : await findBookmarks(database.read, ids);
  return ids.flatMap((id) => found.get(id) ?? []);
}
