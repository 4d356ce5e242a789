import { Argument, Command } from "commander";
import { checkDatabase } from "../../checks/check-database.ts";
import { repairCounters } from "../../checks/counters-check.ts";
import type { Finding } from "../../checks/finding.ts";
import { checkMedia, storedObjects } from "../../checks/media-check.ts";
import { createMissingIndexes, schemaOf } from "../../checks/schema-check.ts";
import { checkSettings } from "../../checks/settings-check.ts";
import { readObjects } from "../../config/configured-objects.ts";
import { readSetting } from "../../config/read-config.ts";
import { sqlitePathOf } from "../../database/database-url.ts";
import { openDatabase } from "../../database/open.ts";
import { inspectDatabase } from "../../database/open-inspection.ts";
import { rebuildSqlite } from "../../database/sqlite/rebuild.ts";
import { checkBackup } from "../../database/sqlite/restore.ts";
import { messageOf, StartError } from "../../errors.ts";
import { indexedCollections } from "../../indexed-collections.ts";
import { onOneLine, printable, printableJson } from "../../printable.ts";
import { indexWaiting, repairIndex } from "../../search/index/entries.ts";
import { VERSION } from "../../version.ts";
import { countsText } from "../terminal/count-text.ts";
import { print } from "../terminal/print.ts";
import { type DatabaseFlags, databaseOption } from "../with-database.ts";
import { OF_EARLIER_SCHEMA, refuseIncomplete, refuseOther, withoutDigests } from "./backup-file.ts";
import { lowerPriority } from "./lower-priority.ts";

interface Flags extends DatabaseFlags {
  readonly json?: boolean;
  readonly repair?: boolean;
}

/** `commonplace check`: exit code 0 without problems, 1 with problems, 2 for a usage error. */
export function checkCommand(): Command {
  return new Command("check")
    .description("Check the database and the settings for problems. The server may be running.")
    .addArgument(new Argument("[backup...]", "backup files to check instead, as restore does"))
    .option("--json", "print the findings as JSON")
    .option("--repair", "rebuild missing or damaged indexes, the search index and totals from the records")
    .addOption(databaseOption())
    .action(check);
}

async function check(backups: readonly string[], flags: Flags): Promise<void> {
  if (backups.length === 0) return checkTheDatabase(flags);
  if (flags.repair)
    throw new StartError("--repair cannot be combined with a backup: a backup is never changed.", 2);
  lowerPriority();
  const checked: CheckedBackup[] = [];
  for (const file of backups) checked.push(await checkBackupFile(file));
  const ok = checked.every(({ status }) => status !== "problem");
  await print(
    flags.json
      ? printableJson({ ok, version: VERSION, backups: checked })
      : checked.map(({ status, detail }) => `${LABELS[status].padEnd(8)}  ${detail}`).join("\n"),
  );
  if (!ok) process.exitCode = 1;
}

interface CheckedBackup extends Pick<Finding, "status" | "detail"> {
  readonly file: string;
}

async function checkBackupFile(file: string): Promise<CheckedBackup> {
  const name = printable(file);
  try {
    refuseIncomplete(file);
    refuseOther(file, file);
    const { counts, isBehind, hasDigests } = await checkBackup(file, name);
    if (!hasDigests) return { file, status: "note", detail: withoutDigests(name) };
    const counted = countsText(counts, ["bookmark", "post", "account"]);
    const earlier = isBehind ? `. ${OF_EARLIER_SCHEMA}` : "";
    return { file, status: "ok", detail: `${name} is as it was written: ${counted}${earlier}` };
  } catch (error) {
    return { file, status: "problem", detail: messageOf(error) };
  }
}

async function checkTheDatabase({ json, repair, databaseUrl }: Flags): Promise<void> {
  const flags = databaseUrl ? { databaseUrl } : {};
  const url = readSetting("databaseUrl", process.env, flags);
  lowerPriority();
  const { location, found, objects } = await look(url);
  const findings = [
    ...checkSettings(process.env, flags),
    ...(repair ? await repairAndLook(url, found) : found),
    ...(await checkMediaAsSet(objects)),
  ];
  const problems = findings.filter(({ status }) => status === "problem").length;
  const document = { ok: problems === 0, version: VERSION, database: location, findings };
  await print(json ? printableJson(document) : asText(location, findings, problems));
  if (problems > 0) process.exitCode = 1;
}

async function look(url: string): Promise<{ location: string; found: Finding[]; objects: string[] }> {
  const inspection = await inspectDatabase(url);
  try {
    const found = await checkDatabase(inspection);
    const isCurrent = (await schemaOf(inspection).catch(() => undefined)) === "current";
    const objects = isCurrent ? await inspection.apart(() => storedObjects(inspection)) : [];
    return { location: inspection.location, found, objects };
  } finally {
    await inspection.close();
  }
}

/** Checks the images beside the database, when its snapshot has ended: they may take long. */
async function checkMediaAsSet(names: readonly string[]): Promise<Finding[]> {
  try {
    return await checkMedia(names, readObjects(process.env));
  } catch (error) {
    // That a setting is wrong is among the other findings.
    if (error instanceof StartError) return [];
    throw error;
  }
}

/** Makes what can be made of the records again, and returns the findings afterwards with the repairs. */
async function repairAndLook(url: string, found: readonly Finding[]): Promise<Finding[]> {
  const problems = found.filter(({ status }) => status === "problem");
  const repairs = new Set(problems.flatMap(({ repair }) => repair ?? []));
  if (repairs.size === 0) return [...found];
  const isCurrent = found.some(({ check, status }) => check === "schema" && status === "ok");
  // A damaged index may have kept the references from being checked.
  const roots = repairs.has("damaged-indexes") ? ROOTS : [...ROOTS, "references"];
  const isBlocked = problems.some(({ check, repair }) => repair === undefined && roots.includes(check));
  if (isBlocked || !(isCurrent || repairs.has("missing-indexes"))) return [...found, NOT_REPAIRED];
  const repaired: Finding[] = [];
  const note = (check: Finding["check"], detail: string) =>
    repaired.push({ check, status: "repaired", detail });
  if (repairs.has("damaged-indexes")) {
    const kept = await rebuildSqlite(sqlitePathOf(url) ?? "");
    note("integrity", `all indexes were made again; the old file is kept as ${kept}`);
  }
  const database = await openDatabase(url, { mustExist: true });
  try {
    for (const name of await createMissingIndexes(database)) note("schema", `index ${name} was made again`);
    if (repairs.has("search") || repairs.has("damaged-indexes")) {
      await repairIndex(database);
      for (const collection of indexedCollections) await indexWaiting(database, collection);
      note("search", "the search index was made again");
    }
    for (const { name, is } of await repairCounters(database)) note("counters", `${name} was ${is}`);
    return [...(await look(url)).found, ...repaired];
  } finally {
    await database.close();
  }
}

/** The checks whose problems, if no repair is known, forbid the repair of others. */
const ROOTS: readonly string[] = ["schema", "integrity"];

const NOT_REPAIRED: Finding = {
  check: "counters",
  status: "note",
  detail: "nothing was repaired: fix the other problems first",
};

function asText(location: string, findings: readonly Finding[], problems: number): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(
    ({ check, status, detail }) =>
      `  ${LABELS[status].padEnd(8)}  ${check.padEnd(width)}  ${printable(onOneLine(detail, "; "))}`,
  );
  const end =
    problems === 0 ? "No problems found." : `${problems} ${problems === 1 ? "problem" : "problems"}.`;
  return [`Checked ${printable(location)}:`, ...lines, end].join("\n");
}

const LABELS = { ok: "ok", note: "note", problem: "PROBLEM", repaired: "repaired" } as const;
