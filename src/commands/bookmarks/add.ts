import { Argument, Command } from "commander";
import { BookmarkCreate, toDetails } from "../../bookmarks/bookmark.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { withTags } from "../../tags/retag.ts";
import { makeTagName } from "../../tags/tag-name.ts";
import { print } from "../terminal/print.ts";
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
    .addArgument(new Argument("<url>", "an http or https URL"))
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

async function add(url: string, { title, description, tag = [], json, ...flags }: Flags): Promise<void> {
  const names = tag.map((given) => {
    const name = makeTagName(given);
    if (name === null) throw new StartError(`--tag: nothing in "${printable(given)}" can be a tag name.`, 2);
    return name;
  });
  const fields = BookmarkCreate.safeParse({
    url,
    title: title ?? Array.from(url).slice(0, 200).join(""),
    description: names.length === 0 ? description : withTags(description, names),
  });
  if (!fields.success) {
    const [issue] = fields.error.issues;
    throw new StartError(`${issue?.path.join(".")}: ${issue?.message}`, 2);
  }
  const bookmark = await withDatabase(
    flags,
    (database) => database.write((sql) => insertBookmark(sql, fields.data, undefined, new Date())),
    { create: true },
  );
  if (json) await print(printableJson(toDetails(bookmark, ["tags"])));
  else await print(`Saved ${printable(bookmark.url)} as bookmark ${bookmark.id}.`);
}
