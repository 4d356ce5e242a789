import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { SIDE_FILES } from "../../database/sqlite/file.ts";
import type { Finding } from "../finding.ts";

/** Permission bits of group and others, and the write bits among them. */
const GROUP_OR_OTHERS = 0o077;
const GROUP_OR_OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Checks that only the owner can read a SQLite database or replace it. The files are not opened.
 */
export function checkSqliteFiles(given: string): Finding[] {
  const location = realpathSync(given);
  const folder = dirname(location);
  const findings = [location, ...SIDE_FILES.map((end) => location + end)].flatMap(checkFile);
  const { mode } = statSync(folder);
  if ((mode & GROUP_OR_OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)
    findings.push(problem(`${folder} has mode ${octal(mode)}: others can replace the database (chmod 700)`));
  else if ((mode & GROUP_OR_OTHERS) !== 0)
    findings.push(
      note(
        `${folder} has mode ${octal(mode)}: others can list its files, but not read them (700 is stricter)`,
      ),
    );
  if (findings.some(({ status }) => status === "problem")) return findings;
  return [{ check: "files", status: "ok", detail: "only the owner can read them" }, ...findings];
}

function checkFile(path: string): Finding[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const findings: Finding[] = [];
  if ((stats.mode & GROUP_OR_OTHERS) !== 0)
    findings.push(problem(`${path} has mode ${octal(stats.mode)}: others can read it (chmod 600)`));
  if (!isOurs(stats))
    findings.push(
      note(`${path} belongs to user ${stats.uid}, but the current user is ${process.getuid?.()}`),
    );
  return findings;
}

function isOurs({ uid }: Stats): boolean {
  const user = process.getuid?.();
  return user === undefined || user === 0 || user === uid;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, "0");
}

function problem(detail: string): Finding {
  return { check: "files", status: "problem", detail };
}

function note(detail: string): Finding {
  return { check: "files", status: "note", detail };
}
