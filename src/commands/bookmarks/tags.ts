import { Argument, Command, Option } from "commander";
import type { ManyChanged } from "../../bookmarks/bulk/change-many.ts";
import { deleteTag, renameTags } from "../../bookmarks/tags/change-tags.ts";
import { listTags, TAG_SORTS } from "../../bookmarks/tags/tag-list.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { commandLine } from "../terminal/command-line.ts";
import { print, printRemark } from "../terminal/print.ts";
import { tableText } from "../terminal/table-text.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";
import { indexWaitingBookmarks } from "./index-bookmarks.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
}

interface ListFlags extends Flags {
  readonly sort: (typeof TAG_SORTS)[number];
}

interface ChangeFlags extends Flags {
  readonly dryRun?: boolean;
}

/** `commonplace tags`: lists, renames, merges and deletes the tags of all bookmarks. */
export function tagsCommand(): Command {
  const command = new Command("tags").description("Manage tags.");

  command
    .command("list")
    .description("List the tags and how many bookmarks each has.")
    .addArgument(new Argument("[text]", "only tags with this text in their names"))
    .addOption(new Option("--sort <order>", "the sort order").choices(TAG_SORTS).default("name"))
    .option("--json", "print JSON")
    .addOption(databaseOption())
    .action(list);

  const changing = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .option("--dry-run", "show the number of affected bookmarks without changing anything")
      .option("--json", "print JSON")
      .addOption(databaseOption());

  changing("rename <tag> <name>", "Rename a tag and the tags below it.").action(
    (tag: string, name: string, flags: ChangeFlags) => rename([tag], name, flags),
  );
  changing("merge <name> <tags...>", "Merge tags; the first name stays.").action(
    (name: string, tags: string[], flags: ChangeFlags) => rename(tags, name, flags),
  );
  changing("delete <tag>", "Remove a tag from all bookmarks; the tags below it stay.").action(remove);

  return command;
}

async function list(text: string | undefined, { sort, ...flags }: ListFlags): Promise<void> {
  const { tags } = await withDatabase(flags, async (database) => {
    await indexWaitingBookmarks(database);
    return listTags(database.read, { q: text, sort, limit: Number.MAX_SAFE_INTEGER });
  });
  const rows = tags.map(({ name, count, withBelow, lastUsed }) => ({
    name,
    count,
    with_below: withBelow,
    last_used: lastUsed.toISOString(),
  }));
  if (flags.json) return print(printableJson(rows));
  if (rows.length === 0) printRemark("No tags found.");
  await print(tableText(rows));
}

async function rename(tags: readonly string[], to: string, flags: ChangeFlags): Promise<void> {
  const [from, name] = [tags.map(tagNamed), tagNamed(to)];
  const changed = await withDatabase(flags, (database) => renameTags(database, from, name, options(flags)));
  const what = from.map((tag) => `#${printable(tag)}`).join(", ");
  await report(changed, `${what} ${from.length === 1 ? "is" : "are"} #${printable(name)} now`, flags);
}

async function remove(tag: string, flags: ChangeFlags): Promise<void> {
  const name = tagNamed(tag);
  const changed = await withDatabase(flags, (database) => deleteTag(database, name, options(flags)));
  await report(changed, `#${printable(name)} is deleted`, flags);
}

async function report({ changed, undo }: ManyChanged, done: string, flags: ChangeFlags): Promise<void> {
  if (flags.json) return print(printableJson({ changed, undo }));
  const bookmarks = changed === 1 ? "1 bookmark" : `${changed} bookmarks`;
  if (flags.dryRun) return print(`A dry run: ${bookmarks} would change. Nothing was changed.`);
  const lines = [`${done}; ${bookmarks} changed.`];
  if (undo !== null) lines.push(`To undo it within 30 days: ${commandLine("undo", undo)}`);
  await print(lines.join("\n"));
}

function options({ dryRun = false }: ChangeFlags) {
  return { accountId: undefined, now: new Date(), dryRun };
}

function tagNamed(text: string): string {
  const name = makeTagName(text);
  if (name === null) throw new StartError(`"${text}" is not a valid tag name.`, 2);
  return name;
}
