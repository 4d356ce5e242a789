import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { quoted } from "../../../src/command-name.ts";
import { freePort } from "../machine/free-port.ts";
import { COMMAND } from "../server/server.ts";
import type { PostgresBinaries } from "./postgres-server.ts";

/** PostgreSQL refuses to run as root; then it runs as `nobody`. */
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
const PASSWORD = "secret";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A PostgreSQL cluster with the layout of Debian's `pg_createcluster`: its configuration is separate from its
 * data, the superuser `postgres` connects through a socket, and all other roles need a password. Scripts get
 * `sudo -u postgres` and `systemctl` with the same effects as on Debian; Debian's paths lead into the
 * cluster's folder.
 */
export class DebianCluster implements AsyncDisposable {
  readonly port: number;
  readonly #root: string;
  readonly #programs: string;

  private constructor(root: string, programs: string, port: number) {
    this.#root = root;
    this.#programs = programs;
    this.port = port;
  }

  static async create(binaries: PostgresBinaries): Promise<DebianCluster> {
    const root = await mkdtemp(join(tmpdir(), "commonplace-debian-"));
    await chmod(root, 0o755);
    const cluster = new DebianCluster(root, await withinReach(binaries, root), await freePort());
    await cluster.#layOut();
    return cluster;
  }

  /** The URL of the role `commonplace` for access over TCP. */
  url(database: string): string {
    return `postgres://commonplace:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Opens a connection of the superuser. The caller closes it. */
  connect(database: string): SQL {
    return new SQL({ url: `postgres://postgres@127.0.0.1:${this.port}/${database}`, max: 1 });
  }

  /** Runs shell commands from the documentation line by line. The first failure ends the script. */
  async sh(script: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const placed = script.replaceAll(
      /(?<=^|[\s'=])\/(?:etc|var\/lib|mnt)\/(?=postgresql|commonplace|archive|base)/gm,
      `${this.#root}$&`,
    );
    const child = Bun.spawn(["sh", "-euc", placed], {
      cwd: this.#root,
      env: {
        PATH: `${this.#root}/bin:${this.#programs}:/usr/bin:/bin`,
        PGHOST: `${this.#root}/run`,
        PGPORT: String(this.port),
        ...env,
      },
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sh("sudo systemctl stop postgresql").catch(() => {});
    await rm(this.#root, { recursive: true, force: true });
  }

  async #layOut(): Promise<void> {
    const [data, settings] = [
      join(this.#root, "var/lib/postgresql/15/main"),
      join(this.#root, "etc/postgresql/15/main"),
    ];
    for (const folder of [
      data,
      join(settings, "conf.d"),
      join(this.#root, "run"),
      join(this.#root, "mnt"),
      join(this.#root, "bin"),
      join(this.#root, "etc/commonplace"),
    ])
      await mkdir(folder, { recursive: true });
    await this.#own();
    // Replaces programs that machines without PostgreSQL's packages lack.
    const standIn = existsSync(join(this.#programs, "psql"))
      ? ""
      : `case "$1" in psql|pg_basebackup)
          DATA=${data} ${[process.execPath, join(import.meta.dir, "postgres-tools.ts")].map(quoted).join(" ")} "$@"
          ${IS_ROOT ? `chown -R ${NOBODY}:${NOBODY} ${this.#root}/mnt` : ""}
          exit;; esac\n`;
    await this.#program(
      "asPostgres",
      `${standIn}exec ${IS_ROOT ? `setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups ` : ""}"$@"`,
    );
    await this.#expect(
      `asPostgres initdb -D ${data} -U postgres -A trust --no-sync --locale=C --encoding=UTF8`,
    );
    for (const name of ["postgresql.conf", "pg_hba.conf", "pg_ident.conf"])
      await rename(join(data, name), join(settings, name));
    const configuration = await readFile(join(settings, "postgresql.conf"), "utf8");
    await writeFile(
      join(settings, "postgresql.conf"),
      `${configuration}
data_directory = '${data}'
hba_file = '${settings}/pg_hba.conf'
ident_file = '${settings}/pg_ident.conf'
unix_socket_directories = '${this.#root}/run'
listen_addresses = '127.0.0.1'
port = ${this.port}
include_dir = 'conf.d'
`,
    );
    await writeFile(
      join(settings, "pg_hba.conf"),
      // The user `nobody` cannot use peer authentication, so the superuser is trusted here.
      "local all postgres trust\nlocal replication postgres trust\nhost all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n",
    );
    await this.#own();
    const control = `asPostgres pg_ctl -s -w -D ${data} -l ${this.#root}/run/log -o "-c config_file=${settings}/postgresql.conf"`;
    await this.#program(
      "systemctl",
      `action=$1; shift
      for unit in "$@"; do [ "$unit" != postgresql ] || ${control} -m fast "$action" >/dev/null; done`,
    );
    // Replaces `sudo` of the documentation: it runs a command as postgres, or as root, which the tests may not be.
    await this.#program(
      "sudo",
      `[ "$1" != -u ] || { shift 2; PGUSER=postgres exec asPostgres "$@"; }
      [ "$1" != install ] || exec install-as-root "$@"
      exec "$@"`,
    );
    await this.#program(
      "install-as-root",
      `for folder; do :; done; mkdir -p "$folder"; chmod 700 "$folder"; ${IS_ROOT ? `chown ${NOBODY}:${NOBODY} "$folder"` : ""}`,
    );
    await this.#program("commonplace", `exec ${quoted(COMMAND)} "$@"`);
    await writeFile(
      join(this.#root, "etc/commonplace/commonplace.env"),
      // With several parameters, one with a slash, as the path of a certificate has it.
      `DATABASE_URL='${this.url("commonplace")}?prepare=false&application_name=a/b'\n`,
    );
    await this.#expect("systemctl start postgresql");
    await using admin = this.connect("postgres");
    await admin.unsafe(`create role commonplace login password '${PASSWORD}'`);
    await admin.unsafe("create database commonplace owner commonplace");
  }

  async #program(name: string, script: string): Promise<void> {
    const path = join(this.#root, "bin", name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
  }

  async #expect(script: string): Promise<void> {
    const { code, stderr } = await this.sh(script);
    if (code !== 0) throw new Error(`${script}: ${stderr}`);
  }

  async #own(): Promise<void> {
    if (!IS_ROOT) return;
    for (const folder of ["var", "etc/postgresql", "run", "mnt"])
      for (const entry of ["", ...(await readdir(join(this.#root, folder), { recursive: true }))])
        await chown(join(this.#root, folder, entry), NOBODY, NOBODY);
    await chmod(join(this.#root, "var/lib/postgresql/15/main"), 0o700);
  }
}

/**
 * The folder of the programs. The embedded ones are copied, since the user `nobody` may have no access to a
 * checkout.
 */
async function withinReach({ folder }: PostgresBinaries, root: string): Promise<string> {
  if (!folder.includes("node_modules")) return folder;
  await cp(dirname(folder), join(root, "programs"), { recursive: true, verbatimSymlinks: true });
  return join(root, "programs/bin");
}
