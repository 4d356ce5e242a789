import { Command, InvalidArgumentError } from "commander";
import { findWaiting, rejectWaiting, type WaitingMatch } from "../../posts/comments/waiting-comments.ts";
import { print, printRemark } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption, withDatabase } from "../with-database.ts";

interface RejectFlags extends DatabaseFlags {
  readonly contains?: string;
  readonly from?: string;
  readonly post?: number;
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

/** `commonplace comments`: moderation of many comments at once. */
export function commentsCommand(): Command {
  const command = new Command("comments").description("Moderate comments.");

  command
    .command("reject")
    .description(
      "Reject all waiting comments that match. They stay listed as rejected, where each can be approved. “commonplace undo” undoes it within 30 days.",
    )
    .option("--contains <text>", "those whose text or author contains this")
    .option("--from <address>", "those that came from the network of this address")
    .option("--post <id>", "those on this post", postId)
    .option("--all", "all that are waiting")
    .option("--dry-run", "count them without changing anything")
    .addOption(databaseOption())
    .action((flags: RejectFlags, self: Command) => reject(flags, self));

  return command;
}

async function reject(flags: RejectFlags, command: Command): Promise<void> {
  const { contains, from: sender, post, all, dryRun } = flags;
  const match: WaitingMatch = { contains, sender, post };
  if (!all && contains === undefined && sender === undefined && post === undefined)
    command.error("error: name the comments with --contains, --from or --post, or give --all");
  const { rejected, undo } = await withDatabase(flags, async (database) =>
    dryRun
      ? { rejected: (await findWaiting(database.read, match, 0)).count, undo: null }
      : rejectWaiting(database, match, undefined),
  );
  const comments = rejected === 1 ? "1 comment" : `${rejected} comments`;
  await print(
    dryRun ? `A dry run: ${comments} would be rejected. Nothing was changed.` : `Rejected ${comments}.`,
  );
  if (undo !== null) printRemark(`To undo it: commonplace undo ${undo}`);
}

function postId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not the id of a post.");
}
