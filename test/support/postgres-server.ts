import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { until } from "./until.ts";

const run = promisify(execFile);

/** PostgreSQL refuses to be root's; then it is nobody's. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const USER = "commonplace";
const PASSWORD = "a:secret@of/the?tests";

/** Where the programs of one version of PostgreSQL lie. */
export interface PostgresBinaries {
  readonly version: string;
  readonly folder: string;
}

/** Lines of postgresql.conf. */
export type PostgresSettings = Readonly<Record<string, string | number>>;

/**
 * A PostgreSQL server of the tests: on a free port of loopback, its data in a temporary folder. It ends and
 * its folder goes when it is closed, or when this process ends, in whatever way.
 */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #binaries: PostgresBinaries;
  readonly #folder: string;

  private constructor(binaries: PostgresBinaries, folder: string, port: number) {
    this.#binaries = binaries;
    this.#folder = folder;
    this.port = port;
    guard(folder, this.#data);
  }

  /** Makes a new database cluster and starts a server on it. */
  static async start(binaries: PostgresBinaries, settings: PostgresSettings = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepare(binaries);
    await server.#initialise();
    await server.configure(settings);
    await server.resume();
    return server;
  }

  /** A streaming standby of this server, which must be stopped meanwhile: its data is a copy. */
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

  /** The URL of a database on this server, as DATABASE_URL takes it. */
  url(database: string, port = this.port): string {
    return `postgres://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  }

  /** Adds settings, which hold from the next start on. */
  async configure(settings: PostgresSettings): Promise<void> {
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    await appendFile(join(this.#data, "postgresql.conf"), lines.join(""));
  }

  /** Starts it, again after a {@link halt}; resolves when it takes connections. */
  async resume(): Promise<void> {
    await this.#control("start", "-l", this.#logFile, "-w");
  }

  /** Stops it, breaking off every connection. */
  async halt(): Promise<void> {
    await this.#control("stop", "-m", "fast", "-w");
  }

  /** SIGKILL to the server and all its processes at once, as when the machine loses its power. */
  async kill(): Promise<void> {
    const [postmaster = ""] = (await readFile(join(this.#data, "postmaster.pid"), "utf8")).split("\n");
    // Stopped first, so that it neither sees its children die nor makes new ones.
    process.kill(Number(postmaster), "SIGSTOP");
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").catch(
      () => "",
    );
    const pids = [...children.split(" ").filter(Boolean), postmaster];
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    // It does not start again while one of them still holds the shared memory.
    await until(
      "its processes have ended",
      async () => !(await Promise.all(pids.map(isRunning))).includes(true),
    );
    // Nobody may take the number for this server's when another process has it.
    await rm(join(this.#data, "postmaster.pid"));
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.#control("promote", "-w");
  }

  /** Everything that the server has logged. */
  log(): Promise<string> {
    return readFile(this.#logFile, "utf8");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // One that was killed, or never started, has nothing to stop.
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
    await mkdir(server.#data, { mode: 0o700 });
    await server.#own();
    return server;
  }

  /**
   * Sorted by the rules of English unless a column says otherwise, so that one that should, and does not,
   * is found out.
   */
  async #initialise(): Promise<void> {
    const passwordFile = join(this.#folder, "password");
    await writeFile(passwordFile, PASSWORD, { mode: 0o644 });
    const words = ["-D", this.#data, "-U", USER, "-A", "scram-sha-256", `--pwfile=${passwordFile}`];
    const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
    await run(join(this.#binaries.folder, "initdb"), [...words, ...locale, "--no-sync"], OWNER);
    await this.configure({ listen_addresses: "127.0.0.1", unix_socket_directories: "" });
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
    const { uid, gid } = OWNER;
    if (uid === undefined || gid === undefined) return;
    await chown(this.#folder, uid, gid);
    for (const entry of ["", ...(await readdir(this.#data, { recursive: true }))])
      await chown(join(this.#data, entry), uid, gid);
    await chmod(this.#data, 0o700);
  }
}

/**
 * A process that outlives this one by the moment that it takes to stop the server and to remove its folder.
 * It is nobody's child, since the test runner ends the children of a test that takes too long; so it has to
 * look now and then whether this process is still there.
 */
function guard(folder: string, data: string): void {
  const script = `(
    while kill -0 "$2" && [ -d "$0" ]; do sleep 1; done
    server=$(head -n 1 "$1/postmaster.pid") && kill -QUIT "$server"
    while kill -0 "$server"; do sleep 0.1; done
    rm -rf "$0"
  ) &`;
  // A session of its own: Ctrl-C is for the tests, and the guard still has its work to do then.
  spawn("sh", ["-c", script, folder, data, String(process.pid)], { detached: true, stdio: "ignore" });
}

/** The programs where their owner can run them: root's checkout may be closed to others, then they are copied. */
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

/** Whether a process has not ended yet; one that only waits to be noticed by its parent has. */
async function isRunning(pid: string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) [ZX] /.test(stat);
}

/** A port of loopback that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A TCP server has no port.");
  return address.port;
}
