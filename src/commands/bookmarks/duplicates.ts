import { Command, InvalidArgumentError } from "commander";
import type { BookmarkResponse } from "../../bookmarks/bookmark.ts";
import { toResponse } from "../../bookmarks/bookmark-response.ts";
import { findBookmarks } from "../../bookmarks/bookmark-store.ts";
import { findDuplicates } from "../../bookmarks/duplicates/duplicate-store.ts";
import { mergeBookmarks, previewMerge } from "../../bookmarks/duplicates/merge-bookmarks.ts";
import { type Difference, differences } from "../../bookmarks/duplicates/url-differences.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { commandLine } from "../terminal/command-line.ts";
import { print, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { indexWaitingBookmarks } from "./index-bookmarks.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

interface Group {
  readonly bookmarks: readonly BookmarkResponse[];
  readonly because: readonly Difference[];
}

/** `commonplace duplicates`: finds bookmarks of the same page, and merges them. */
export function duplicatesCommand(): Command {
  const command = new Command("duplicates").description("Find and merge duplicate bookmarks.");

  command
    .command("list")
    .description("List groups of bookmarks that link to the same page.")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(list);

  command
    .command("merge")
    .argument("<keep>", "the id of the bookmark that stays", bookmarkId)
    .argument("<drop...>", "the ids of the bookmarks to merge into it", addId)
    .description("Merge bookmarks into one that has the tags and texts of all.")
    .option("--dry-run", "show the result without changing anything")
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(merge);

  return command;
}

async function list(flags: Flags): Promise<void> {
  const groups = await withDatabase(flags, async (database) => {
    await indexWaitingBookmarks(database);
    const found = await findDuplicates(database.read, Number.MAX_SAFE_INTEGER);
    const groups: Group[] = [];
    for (const { ids } of found) {
      const there = await findBookmarks(database.read, ids);
      const bookmarks = ids.flatMap((id) => there.get(id) ?? []).map(toResponse);
      if (bookmarks.length > 1)
        groups.push({ bookmarks, because: differences(bookmarks.map(({ url }) => url)) });
    }
    return groups;
  });
  if (flags.json) return print(printableJson(groups));
  if (groups.length === 0) printRemark("No duplicates found.");
  await print(groups.map(groupText).join("\n\n"));
}

async function merge(keep: number, drop: readonly number[], flags: Flags): Promise<void> {
  if (drop.includes(keep)) throw new StartError(`Bookmark ${keep} cannot be both kept and dropped.`, 2);
  const { bookmark, changed, undo } = await withDatabase(flags, (database) =>
    flags.dryRun
      ? previewMerge(database.read, { keep, drop })
      : mergeBookmarks(database, { keep, drop }, undefined, new Date()),
  );
  if (flags.json) return print(printableJson({ bookmark, changed, undo }));
  const done = flags.dryRun ? "A dry run: nothing was changed. The result would be:" : "Merged:";
  const lines = [done, bookmarkText(bookmark), printable(bookmark.description, "\n")];
  if (undo !== null) lines.push(`To undo it within 30 days: ${commandLine("undo", undo)}`);
  await print(lines.join("\n"));
}

function groupText({ bookmarks, because }: Group): string {
  const reason = because.includes("none") ? "the same URL" : `URLs that differ in ${because.join(", ")}`;
  return [`${bookmarks.length} with ${reason}`, ...bookmarks.map(bookmarkText)].join("\n");
}

function bookmarkText({ id, title, url, created_at }: BookmarkResponse): string {
  return `  ${id}  ${created_at.slice(0, 10)}  ${printable(title)}  <${printable(url)}>`;
}

function bookmarkId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It must be the id of a bookmark.");
  return Number(text);
}

function addId(text: string, ids: readonly number[] | undefined): readonly number[] {
  return [...(ids ?? []), bookmarkId(text)];
}
