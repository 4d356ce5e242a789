import { expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fill } from "../support/records/bookmarks.ts";
import { COMMAND, temporaryFolder } from "../support/server/server.ts";

const DOCS = join(import.meta.dir, "../../docs");
const page = readFileSync(join(DOCS, "operations.md"), "utf8");

/** The shell commands of a section, block by block. */
function blocksOf(section: string): string[] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? "");
}

/** Runs a script in a folder, with the command in its PATH. */
async function sh(script: string, folder: string, env: Record<string, string> = {}) {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  if (readdirSync(bin).length === 0) symlinkSync(COMMAND, join(bin, "commonplace"));
  const child = Bun.spawn(["sh", "-ec", script], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env.PATH ?? ""}`, HOME: folder, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

test("The restore drill of docs/operations.md works as written", async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("data/commonplace.db")}` };
  await fill(env.DATABASE_URL, 3);
  const [backup = ""] = blocksOf("Backup");
  const [drill = "", real = ""] = blocksOf("Restore drill");
  mkdirSync(folder.file("backups"));
  const placed = (script: string) =>
    script
      .replaceAll("/var/lib/commonplace-backups", folder.file("backups"))
      .replaceAll("/var/backups", folder.file("backups"))
      .replaceAll("/tmp/drill", folder.file("drill"))
      // The server of the drill would go on, and there is no other to be stopped.
      .replace(/^.*commonplace serve.*$/gm, "")
      .replace(/^systemctl .*$/gm, "")
      .replaceAll("commonplace-admin ", "commonplace ");
  for (const script of [backup, drill])
    expect(await sh(placed(script), folder.path, env)).toMatchObject({ code: 0, stderr: "" });
  const newest = `newest=$(ls -t ${folder.file("backups")}/*.db | head -n 1)\n`;
  const { code, stdout, stderr } = await sh(newest + placed(real), folder.path, env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/Restored .*: 3 bookmarks/);
  expect(stdout).toEndWith("No problems found.\n");
});

test("commonplace-admin passes on a URL with several parameters, written as the page says", async () => {
  using folder = temporaryFolder();
  const line = /^DATABASE_URL=.*&.*$/m.exec(page)?.[0] ?? "no line";
  writeFileSync(folder.file("commonplace.env"), `${line}\n`);
  const wrapper = /^(#!\/bin\/sh\n.*?)^END$/ms.exec(page)?.[1] ?? "";
  const script = wrapper
    .replace("/etc/commonplace/commonplace.env", folder.file("commonplace.env"))
    .replace(/^exec .*$/m, 'echo "$DATABASE_URL"');
  expect(await sh(script, folder.path)).toEqual({
    code: 0,
    stdout: `${/'(.*)'/.exec(line)?.[1]}\n`,
    stderr: "",
  });
});

test("The line for cron makes a backup and keeps those of two weeks", async () => {
  using folder = temporaryFolder();
  await fill(`sqlite:${folder.file("commonplace.db")}`, 3);
  const line = /^15 3 \* \* \* (.*)$/m.exec(page)?.[1] ?? "";
  mkdirSync(folder.file("backups"));
  for (const [name, days] of [
    ["old.db", 20],
    ["recent.db", 5],
  ] as const) {
    copyFileSync(folder.file("commonplace.db"), folder.file(`backups/${name}`));
    const date = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    utimesSync(folder.file(`backups/${name}`), date, date);
  }
  // In a crontab a percent sign would be a line's end.
  const script = line.replaceAll("\\%", "%");
  const env = { DATABASE_URL: `sqlite:${folder.file("commonplace.db")}` };
  expect(await sh(script, folder.path, env)).toEqual({ code: 0, stdout: "", stderr: "" });
  const names = readdirSync(folder.file("backups")).toSorted();
  expect(names).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z\.db$/), "recent.db"]);
});

test("The nightly unit makes a backup and checks those that it keeps", async () => {
  using folder = temporaryFolder();
  const env = { DATABASE_URL: `sqlite:${folder.file("commonplace.db")}` };
  await fill(env.DATABASE_URL, 3);
  mkdirSync(folder.file("backups"));
  const unit = readFileSync(join(DOCS, "service/commonplace-backup.service"), "utf8");
  const commands = [...unit.matchAll(/^ExecStart(?:Post)?=(.*)$/gm)].map(([, command = ""]) =>
    command
      .replaceAll("%%", "%")
      .replaceAll("$$", "$")
      // systemd expands no patterns.
      .replaceAll(/-name (\S+)/g, "-name '$1'")
      .replaceAll("/usr/local/bin/", "")
      .replaceAll("/var/lib/commonplace-backups", folder.file("backups")),
  );
  const night = () => sh(commands.join("\n"), folder.path, env);
  expect(await night()).toMatchObject({ code: 0, stderr: "" });
  const [kept = ""] = readdirSync(folder.file("backups"));
  const yesterday = folder.file("backups/yesterday.db");
  const bytes = readFileSync(folder.file(`backups/${kept}`));
  bytes.writeUInt8(bytes.readUInt8(9_000) ^ 1, 9_000);
  writeFileSync(yesterday, bytes);
  // The name of a backup has seconds, and it overwrites none.
  rmSync(folder.file(`backups/${kept}`));
  const { code, stdout } = await night();
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^ok .*Z\.db is as it was written: 3 bookmarks, .*\nPROBLEM .*yesterday\.db is damaged: /m,
  );
});

test.skipIf(Bun.which("systemd-analyze") === null)(
  "systemd takes the units of the nightly backup",
  async () => {
    using folder = temporaryFolder();
    for (const name of ["commonplace-backup.service", "commonplace-backup.timer"]) {
      const unit = readFileSync(join(DOCS, "service", name), "utf8");
      // Neither the command nor its manual is installed here.
      writeFileSync(
        folder.file(name),
        unit.replace("/usr/local/bin/commonplace", COMMAND).replace(/^Documentation=.*$/m, ""),
      );
    }
    const units = ["commonplace-backup.service", "commonplace-backup.timer"].map((name) => folder.file(name));
    expect(await sh(`systemd-analyze verify ${units.join(" ")}`, folder.path)).toMatchObject({
      code: 0,
      stderr: "",
    });
  },
);
