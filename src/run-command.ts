import { Command, CommanderError } from "commander";
import { EXTRACT_PAGE } from "./copies/extraction/extraction-process.ts";
import { InvalidSettings, Refusal, StartError } from "./errors.ts";
import { READ_FILE } from "./imports/reading-process.ts";
import { VERSION } from "./version.ts";

/**
 * The `commonplace` command. Each command is loaded on demand, so that starting the server does
 * not pay for the importer.
 */
const commands: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./commands/server/serve.ts")).serveCommand(),
  account: async () => (await import("./commands/accounts/account.ts")).accountCommand(),
  welcome: async () => (await import("./commands/server/welcome.ts")).welcomeCommand(),
  token: async () => (await import("./commands/accounts/token.ts")).tokenCommand(),
  "content-key": async () => (await import("./commands/accounts/content-key.ts")).contentKeyCommand(),
  comments: async () => (await import("./commands/site/comments.ts")).commentsCommand(),
  share: async () => (await import("./commands/bookmarks/share.ts")).shareCommand(),
  undo: async () => (await import("./commands/undo.ts")).undoChangeCommand(),
  search: async () => (await import("./commands/bookmarks/search.ts")).searchCommand(),
  add: async () => (await import("./commands/bookmarks/add.ts")).addCommand(),
  copy: async () => (await import("./commands/bookmarks/copy.ts")).copyCommand(),
  import: async () => (await import("./commands/import.ts")).importCommand(),
  export: async () => (await import("./commands/bookmarks/export.ts")).exportCommand(),
  backup: async () => (await import("./commands/database/backup.ts")).backupCommand(),
  restore: async () => (await import("./commands/database/restore.ts")).restoreCommand(),
  compact: async () => (await import("./commands/database/compact.ts")).compactCommand(),
  reindex: async () => (await import("./commands/database/reindex.ts")).reindexCommand(),
  move: async () => (await import("./commands/database/move.ts")).moveCommand(),
  check: async () => (await import("./commands/database/check.ts")).checkCommand(),
  mcp: async () => (await import("./commands/server/mcp.ts")).mcpCommand(),
  openapi: async () => (await import("./commands/openapi.ts")).openapiCommand(),
};

/**
 * Runs the command that these words call.
 * @returns the exit code of a failure, or of help; undefined when it succeeded, or, as `serve`, goes on
 */
export async function runCommand(args: readonly string[]): Promise<number | undefined> {
  if (args[0] === READ_FILE && args[1] !== undefined) {
    const { readFile } = await import("./imports/read-upload.ts");
    await readFile(args[1]);
    return 0;
  }
  if (args[0] === EXTRACT_PAGE && args[1] !== undefined) {
    const { extractInProcess } = await import("./copies/extraction/extract-in-process.ts");
    extractInProcess(args[1]);
    return 0;
  }
  const program = new Command("commonplace")
    .description("One small server for the links you keep and the posts you publish.")
    .version(VERSION)
    .exitOverride();
  const wanted = args.find((arg) => !arg.startsWith("-")) ?? "";
  const alone = Object.hasOwn(commands, wanted);
  const isVersion = args.length === 1 && (args[0] === "--version" || args[0] === "-V");
  const loaders = isVersion ? [] : alone ? [commands[wanted]] : Object.values(commands);
  for (const load of loaders) if (load) program.addCommand(inherit(await load(), program));
  const isUnknown = wanted !== "" && wanted !== "help" && !Object.hasOwn(commands, wanted);
  // For the help of an unknown command, commander would print its own help and succeed.
  const asked = isUnknown ? args.filter((arg) => arg !== "--help" && arg !== "-h") : [...args];
  try {
    await program.parseAsync(asked, { from: "user" });
  } catch (error) {
    const code = exitCodeOf(error);
    if (wanted === "search" && error instanceof CommanderError && error.code === "commander.unknownOption")
      console.error("Put -- before a search with such a word: commonplace search -- river -lake");
    return code;
  }
  return undefined;
}

/** Applies the program's settings to a command and its subcommands: usage errors are thrown. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const below of command.commands) inherit(below, command);
  return command;
}

/**
 * Prints the error in one line, or each invalid setting in a line of its own.
 * @returns the exit code: 2 for a usage error, 1 for any other failure
 */
function exitCodeOf(error: unknown): number {
  // Commander has printed it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Refusal) {
    console.error(`commonplace: ${error.message}`);
    return 1;
  }
  if (error instanceof StartError) {
    const errors = error instanceof InvalidSettings ? error.errors : [error];
    for (const { message } of errors) console.error(`commonplace: ${message}`);
    return error.exitCode;
  }
  // One of the system says what it met, such as a full disk or a folder that is missing.
  console.error(error instanceof Error && "syscall" in error ? `commonplace: ${error.message}.` : error);
  return 1;
}
