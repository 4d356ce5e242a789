import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DebianCluster } from "../support/databases/debian-cluster.ts";
import { embeddedPostgres, systemPostgres } from "../support/databases/postgres.ts";
import { until } from "../support/machine/until.ts";
import { fill } from "../support/records/bookmarks.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/operations.md"), "utf8");

/** The shell commands of a section, block by block. */
function blocksOf(section: string): string[] {
  const text = page.split(/^### /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block ?? "");
}

const [dump = "", archive = "", baseBackup = ""] = blocksOf("Backup of PostgreSQL");
const [fromDump = "", endAccess = "", toMoment = ""] = blocksOf("Restore drill of PostgreSQL");

for (const binaries of [embeddedPostgres, ...(systemPostgres === undefined ? [] : [systemPostgres])])
  describe(`On PostgreSQL ${binaries.version}, laid out as Debian does it, docs/operations.md, as it is written,`, () => {
    let cluster: DebianCluster;
    beforeAll(async () => {
      cluster = await DebianCluster.create(binaries);
      await fill(cluster.url("commonplace"), 3);
    });
    afterAll(() => cluster[Symbol.asyncDispose]());

    // Only the system's packages have pg_dump and pg_restore; the line of a skipped test says so.
    const hasDump = binaries === systemPostgres;
    const needs = hasDump ? "" : ` (needs pg_dump, which only the system's package postgresql has)`;
    const countIn = async (database: string) => {
      await using sql = cluster.connect(database);
      const [row] = await sql`select count(*)::int as n from bookmarks`;
      return row?.n;
    };
    const epochOf = async (database: string) => {
      await using sql = cluster.connect(database);
      const [row] = await sql`select value from meta where name = 'epoch'`;
      return row?.value;
    };

    test.skipIf(!hasDump)(`backs up with a dump and restores it into a new database${needs}`, async () => {
      expect(await cluster.sh(dump)).toMatchObject({ code: 0, stderr: "" });
      const { code, stdout, stderr } = await cluster.sh(fromDump);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^Checked \S+\/commonplace_restored:/m);
      expect(stdout).toContain("No problems found.");
      expect(await countIn("commonplace_restored")).toBe(3);
      expect(await epochOf("commonplace_restored")).not.toBe(await epochOf("commonplace"));
      expect(await cluster.sh(endAccess)).toMatchObject({ code: 0, stderr: "" });
      // The server's role owns what it has to change.
      await fill(cluster.url("commonplace_restored"), 1);
      expect(await countIn("commonplace_restored")).toBe(4);
    });

    test.skipIf(!hasDump)(
      `dumps from another machine, whatever of ours stands behind the URL's question mark${needs}`,
      async () => {
        const line = /^From another machine: `(.*?)`/m.exec(page)?.[1] ?? "";
        const DATABASE_URL = `${cluster.url("commonplace")}?prepare=false`;
        expect(await cluster.sh(line, { DATABASE_URL })).toEqual({ code: 0, stdout: "", stderr: "" });
      },
    );

    test("archives, and goes back to the moment before an accident", async () => {
      expect(await cluster.sh(archive)).toMatchObject({ code: 0, stderr: "" });
      expect(await cluster.sh(baseBackup)).toMatchObject({ code: 0, stderr: "" });
      await fill(cluster.url("commonplace"), 2);
      let before = "";
      {
        await using sql = cluster.connect("commonplace");
        const [moment] = await sql`select clock_timestamp()::text as moment`;
        before = moment?.moment;
        await sql`delete from bookmarks`;
        const [log] = await sql`select pg_walfile_name(pg_current_wal_lsn()) as name, pg_switch_wal()`;
        // It is copied and synced to the disk, which can take its time when others sync too.
        await until(
          "the log is archived",
          async () => {
            const [archiver] =
              await sql`select last_archived_wal >= ${log?.name} as is_there from pg_stat_archiver`;
            return archiver?.is_there === true;
          },
          { every: 50 },
        );
      }
      const { code, stdout, stderr } = await cluster.sh(toMoment.replace("2026-11-21 11:47:40+00", before));
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("No problems found.");
      expect(await countIn("commonplace")).toBe(5);
    });
  });
