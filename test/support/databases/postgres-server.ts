import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../machine/free-port.ts";
import { until } from "../machine/until.ts";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root; then it runs as `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const CACHE = resolve(import.meta.dir, "../../../node_modules/.cache");

const USER = "commonplace";
const PASSWORD = "a:secret@of/the?tests";

/** The programs of one version of PostgreSQL. */
export interface PostgresBinaries {
  readonly version: string;
  readonly folder: string;
}

/** Where a running server is. */
export interface PostgresPlace {
  readonly binaries: PostgresBinaries;
  readonly folder: string;
  readonly port: number;
}

/** Settings in postgresql.conf. */
export type PostgresSettings = Readonly<Record<string, string | number>>;

/**
 * A PostgreSQL server for tests, on a free port of loopback, with its data in a temporary folder. When it is
 * closed, or when this process ends in any way, the server is stopped and the folder removed.
 */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #binaries: PostgresBinaries;
  readonly #folder: string;

  private constructor(binaries: PostgresBinaries, folder: string, port: number) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.port = port;
  }

  /** A server that another process has started, and stops. */
  static at({ binaries, folder, port }: PostgresPlace): PostgresServer {
    return new PostgresServer(binaries, folder, port);
  }

  get place(): PostgresPlace {
    return { binaries: this.#binaries, folder: this.#folder, port: this.port };
  }

  /** Makes a new database cluster and starts a server on it. */
  static async start(binaries: PostgresBinaries, settings: PostgresSettings = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(binaries);
    await server.#initialise();
    await server.configure(settings);
    if (settings.password_encryption === "md5") await server.#acceptMd5();
    await server.resume();
    return server;
  }

  /** Makes a streaming standby of this server, which must be stopped: its data is copied. */
  async makeStandby(primary: { port: number }, settings: PostgresSettings = {}): Promise<PostgresServer> {
    const standby = await PostgresServer.#prepare(this.#binaries);
    await cp(this.#data, standby.#data, { recursive: true });
    await writeFile(join(standby.#data, "standby.signal"), "");
    await standby.#own();
    await standby.configure({
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${USER} password=${PASSWORD}`,
      ...settings,
    });
    return standby;
  }

  /** The URL of a database on this server, in the form of DATABASE_URL. */
  url(database: string, port = this.port): string {
    return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  }

  /** Adds settings, which apply from the next start. */
  async configure(settings: PostgresSettings): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    await appendFile(join(this.#data, "postgresql.conf"), lines.join(""));
  }

  /** Starts the server, also after a {@link halt}. Resolves when it accepts connections. */
  async resume(): Promise<void> {
    await this.#control("start", "-l", this.#logFile, "-w");
  }

  /** Stops the server and closes all connections at once. */
  async halt(): Promise<void> {
    await this.#control("stop", "-m", "fast", "-w");
  }

  /** Stops all its processes until they are killed: its connections stay, and nothing responds, as on a broken network. */
  async freeze(): Promise<number[]> {
    const postmaster = await this.pid();
    // First, so that it neither notices that its child processes end nor starts new ones.
    process.kill(postmaster, "SIGSTOP");
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").catch(
      () => "",
    );
    const pids = [...children.split(" ").filter(Boolean).map(Number), postmaster];
    for (const pid of pids) process.kill(pid, "SIGSTOP");
    return pids;
  }

  /** Sends SIGKILL to the server and all its processes at once, as in a power failure. */
  async kill(): Promise<void> {
    const pids = await this.freeze();
    for (const pid of pids) process.kill(pid, "SIGKILL");
    // It cannot restart while one of them still holds the shared memory.
    await until(
      "its processes have ended",
      async () => !(await Promise.all(pids.map(isRunning))).includes(true),
    );
    // Another process may get the same process id, which must not be taken for this server's.
    await rm(join(this.#data, "postmaster.pid"));
  }

  /** The id of its main process, of which the others are children. */
  async pid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.#data, "postmaster.pid"), "utf8"), 10);
  }

  /** Makes it a standby that follows nobody, from its next start. */
  async becomeStandby(): Promise<void> {
    await writeFile(join(this.#data, "standby.signal"), "");
    await this.#own();
  }

  /** Makes this standby the primary. */
  async promote(): Promise<void> {
    await this.#control("promote", "-w");
  }

  /** A statement that stores the password again, as the settings say. */
  get storePassword(): string {
    return `alter role ${USER} password '${PASSWORD}'`;
  }

  /** The whole log of the server. */
  log(): Promise<string> {
    return readFile(this.#logFile, "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A server that was killed, or that never started, cannot be stopped.
    await this.#control("stop", "-m", "immediate", "-w").catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  get #logFile(): string {
    return join(this.#folder, "log");
  }

  static async #prepare(binaries: PostgresBinaries): Promise<PostgresServer> {
    const folder = await mkdtemp(join(tmpdir(), "commonplace-postgres-"));
    const programs = await withinReach(binaries.folder, folder);
    const server = new PostgresServer({ ...binaries, folder: programs }, folder, await freePort());
    guard(folder, server.#data);
    await mkdir(server.#data, { mode: 0o700 });
    await server.#own();
    return server;
  }

  /** Fills the data folder with a new cluster: a copy, since initdb takes longer than all else of a start. */
  async #initialise(): Promise<void> {
    const cluster = await initialised(this.#binaries);
    await run("cp", ["-R", `${cluster}/.`, this.#data]);
    await this.#own();
    await this.configure({ listen_addresses: "127.0.0.1", unix_socket_directories: "" });
  }

  /** Accepts passwords that are stored for MD5. Those stored for SCRAM are still accepted by that. */
  async #acceptMd5(): Promise<void> {
    const path = join(this.#data, "pg_hba.conf");
    await writeFile(path, (await readFile(path, "utf8")).replaceAll("scram-sha-256", "md5"));
  }

  /** Accepts only connections over TLS by clients with a certificate. */
  async requireCertificates(): Promise<void> {
    await writeFile(
      join(this.#data, "pg_hba.conf"),
      "hostssl all all all scram-sha-256 clientcert=verify-ca\n",
    );
    await this.#control("reload");
  }

  async #control(...words: string[]): Promise<void> {
    const options = words[0] === "start" ? ["-o", `-p ${this.port}`] : [];
    const program = join(this.#binaries.folder, "pg_ctl");
    try {
      await run(program, [...words, ...options, "-D", this.#data, "-s"], OWNER);
    } catch (cause) {
      throw new Error(`pg_ctl ${words[0]} failed: ${await this.log().catch(() => "")}`, { cause });
    }
  }

  async #own(): Promise<void> {
    await own(this.#folder);
    await chmod(this.#data, 0o700);
  }
}

/** The URL of the database `postgres` on several servers. */
export function severalHosts(servers: readonly { readonly port: number }[], parameters = ""): string {
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
  return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@${hosts.join(",")}/postgres${parameters}`;
}

/** Gives a folder and its contents to the user that runs PostgreSQL. */
async function own(folder: string): Promise<void> {
  if (OWNER.uid !== undefined) await run("chown", ["-R", `${OWNER.uid}:${OWNER.gid}`, folder]);
}

/**
 * The folder of a new cluster of this version, to be copied. The first call on a machine makes it. The default
 * collation is English, so that a column without its required collation is detected.
 */
async function initialised(binaries: PostgresBinaries): Promise<string> {
  const options = [
    ...["-U", USER, "-A", "scram-sha-256", "--no-sync"],
    ...["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"],
  ];
  const { stdout: version } = await run(join(binaries.folder, "postgres"), ["--version"], OWNER);
  const key = Bun.hash(JSON.stringify([version, USER, PASSWORD, options])).toString(16);
  const folder = join(CACHE, `postgres-${binaries.version.split(" ")[0]}-${key}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  // initdb runs as another user, who may have no access to root's checkout.
  const temporary = await mkdtemp(join(tmpdir(), "commonplace-initdb-"));
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    await mkdir(join(temporary, "data"));
    await writeFile(join(temporary, "password"), PASSWORD);
    await own(temporary);
    const words = ["-D", join(temporary, "data"), `--pwfile=${join(temporary, "password")}`, ...options];
    await run(join(binaries.folder, "initdb"), words, OWNER);
    await run("cp", ["-R", `${temporary}/data/.`, unfinished]);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process was faster; its cluster is as good.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(temporary, { recursive: true });
  }
  return folder;
}

/**
 * Starts a process that outlives this one until it has stopped the server and removed its folder. It is not a
 * child process, since the test runner ends the children of a test that takes too long. So it checks once a
 * second whether this process still exists.
 */
function guard(folder: string, data: string): void {
  const script = `(
    while kill -0 "$2" && [ -d "$0" ]; do sleep 1; done
    server=$(head -n 1 "$1/postmaster.pid") && kill -QUIT "$server"
    while kill -0 "$server"; do sleep 0.1; done
    rm -rf "$0"
  ) &`;
  // In a separate session, so that Ctrl-C ends the tests but not the guard.
  spawn("sh", ["-c", script, folder, data, String(process.pid)], { detached: true, stdio: "ignore" });
}

/**
 * The folder of the programs. They are copied if their owner cannot run them: other users may have no access
 * to root's checkout.
 */
async function withinReach(programs: string, folder: string): Promise<string> {
  try {
    await run("test", ["-x", join(programs, "postgres")], OWNER);
    return programs;
  } catch {
    await chmod(folder, 0o755);
    await cp(dirname(programs), join(folder, "programs"), { recursive: true, verbatimSymlinks: true });
    return join(folder, "programs", "bin");
  }
}

/** Whether a process is still running. A zombie is not. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}
