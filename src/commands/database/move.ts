import { Command, Option } from "commander";
import { readDatabaseUrl, readSetting } from "../../config/read-config.ts";
import { type Moved, moveDatabase, reopenDatabase } from "../../database/move/move.ts";
import { StartError } from "../../errors.ts";
import { printable, printableJson } from "../../printable.ts";
import { print } from "../terminal/print.ts";
import { type ProgressBar, progressBar } from "../terminal/progress-bar.ts";
import { tableText } from "../terminal/table-text.ts";

interface Flags {
  readonly from?: string;
  readonly to?: string;
  readonly reopen?: boolean;
  readonly json?: boolean;
}

/** `commonplace move`: exit code 0 when everything was copied and compared equal; else nothing was moved. */
export function moveCommand(): Command {
  return new Command("move")
    .description("Move all data to another database, SQLite or PostgreSQL, and compare the two.")
    .addOption(new Option("--from <url>", "the database to move; it is read-only afterwards (DATABASE_URL)"))
    .addOption(
      new Option(
        "--to <url>",
        "the target: a new SQLite file or an empty PostgreSQL database (TARGET_DATABASE_URL)",
      ),
    )
    .option("--reopen", "instead of moving, make a moved database usable again")
    .option("--json", "print counts and checksums as JSON")
    .action(({ from, to, reopen, json = false }: Flags) => {
      const source = readSetting("databaseUrl", process.env, from ? { databaseUrl: from } : {});
      if (!reopen) return move(source, readDatabaseUrl("--to", to, "TARGET_DATABASE_URL", process.env), json);
      if (to !== undefined) throw new StartError("--reopen cannot be combined with --to.", 2);
      return reopenSource(source);
    });
}

async function move(from: string, to: string, json: boolean): Promise<void> {
  const bar = await progressBar("Moving");
  const interrupt = endOnSignals(bar);
  const start = performance.now();
  try {
    const moved = await moveDatabase(from, to, {
      onProgress: (step, done, total) =>
        bar.show(done, total, `${step} (${Math.floor((100 * done) / total)} %)`),
      onFinishing() {
        interrupt.leaveAlone();
        bar.stop();
      },
    });
    const milliseconds = Math.round(performance.now() - start);
    const text = json ? printableJson({ ...moved, milliseconds }) : asText(moved, milliseconds);
    await print(text, `All data was moved to ${printable(moved.to)}.`);
  } finally {
    bar.stop();
    interrupt.leaveAlone();
  }
}

function asText({ from, to, tables }: Moved, milliseconds: number): string {
  const seconds = (milliseconds / 1000).toFixed(1);
  return [
    `Moved ${printable(from)} to ${printable(to)} in ${seconds} s. Both have the same contents:`,
    tableText(tables.map(({ name, rows, sha256 }) => ({ table: name, rows, checksum: sha256 }))),
    "The old database is now read-only. Set DATABASE_URL to the new one and start the server.",
    ...(tables.some(({ name, rows }) => name === "media_objects" && rows > 0)
      ? ["Pictures in the object store stay there: the new database needs the same MEDIA settings."]
      : []),
  ].join("\n");
}

async function reopenSource(url: string): Promise<void> {
  const location = await reopenDatabase(url);
  console.log(
    `${printable(location)} can be used again. Changes made elsewhere since the move are not in it.`,
  );
}

/** Ends the process on a signal: the engines roll back, and nothing was moved. */
function endOnSignals(bar: ProgressBar): { leaveAlone(): void } {
  const end = (signal: NodeJS.Signals) => {
    bar.stop();
    console.error("commonplace: Interrupted. Nothing was moved.");
    process.exit(signal === "SIGINT" ? 130 : 143);
  };
  const ignore = () => {};
  process.on("SIGINT", end).on("SIGTERM", end);
  return {
    leaveAlone() {
      process.off("SIGINT", end).off("SIGTERM", end).on("SIGINT", ignore).on("SIGTERM", ignore);
    },
  };
}
