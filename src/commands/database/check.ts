import { Argument, Command } from "commander";
import { checkDatabase } from "../../checks/check-database.ts";
import { repairCounters } from "../../checks/counters-check.ts";
import type { Finding } from "../../checks/finding.ts";
import { checkMedia, storedObjects } from "../../checks/media-check.ts";
import { schemaOf } from "../../checks/schema-check.ts";
import { checkSettings } from "../../checks/settings-check.ts";
import { readObjects } from "../../config/configured-objects.ts";
import { readSetting } from "../../config/read-config.ts";
import { openDatabase } from "../../database/open.ts";
import { inspectDatabase } from "../../database/open-inspection.ts";
import { checkBackup } from "../../database/sqlite/restore.ts";
import { messageOf, StartError } from "../../errors.ts";
import { onOneLine, printable, printableJson } from "../../printable.ts";
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
    .option("--repair", "correct wrong counters; nothing else changes")
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

/** Repairs the counters, and returns the findings afterwards with the repairs. */
async function repairAndLook(url: string, found: readonly Finding[]): Promise<Finding[]> {
  const wrong = (check: Finding["check"]) =>
    found.some((one) => one.check === check && one.status === "problem");
  if (!wrong("counters")) return [...found];
  const isCurrent = found.every(({ check, status }) => check !== "schema" || status === "ok");
  if (wrong("integrity") || wrong("references") || !isCurrent) return [...found, NOT_REPAIRED];
  const database = await openDatabase(url, { mustExist: true });
  try {
    const counters = await repairCounters(database);
    const now = (await look(url)).found;
    return [
      ...now,
      ...counters.map(
        ({ name, is }): Finding => ({ check: "counters", status: "repaired", detail: `${name} was ${is}` }),
      ),
    ];
  } finally {
    await database.close();
  }
}

const NOT_REPAIRED: Finding = {
  check: "counters",
  status: "note",
  detail: "not repaired: fix the other problems first",
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
