import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../support/machine/until.ts";

const EXAMPLES = join(import.meta.dir, "../../../docs/service/cluster");

/** PostgreSQL refuses to run as root; then everything runs as `nobody`. */
const OWNER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export const PASSWORD = "drill";

/** A file of docs/service/cluster, for addresses of loopback that begin with `network`. */
export function example(name: string, network: string): string {
  return (
    readFileSync(join(EXAMPLES, name), "utf8")
      // Whatever their addresses are, connections on loopback come from 127.0.0.1.
      .replaceAll("10.0.0.0/24", "127.0.0.0/8")
      .replaceAll("10.0.0.", network)
      .replaceAll("@PASSWORD@", PASSWORD)
  );
}

/** One of the three machines of docs/service/cluster: etcd, Patroni and PostgreSQL, at an address of loopback. */
export class Machine {
  readonly name: string;
  readonly address: string;
  readonly #folder: string;
  readonly #etcdEnv: Record<string, string>;
  #processes: ChildProcess[] = [];

  constructor({ name, address, folder, network, postgres }: MachineOptions) {
    this.name = name;
    this.address = address;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const placed = (file: string) =>
      example(file, network)
        .replaceAll("@NAME@", name)
        .replaceAll("@ADDRESS@", address)
        .replaceAll(/@\w+_PASSWORD@/g, PASSWORD)
        .replaceAll("/var/lib/postgresql/15/commonplace", join(folder, "data"))
        .replaceAll(/\/var\/(?:lib|run)\/postgresql/g, folder)
        .replaceAll("/usr/lib/postgresql/15/bin", postgres)
        .replaceAll("/var/lib/etcd/commonplace", join(folder, "etcd"));
    writeFileSync(join(folder, "patroni.yml"), placed("patroni.yml"));
    const settings = placed("etcd.env").matchAll(/^(\w+)=(.*)$/gm);
    this.#etcdEnv = Object.fromEntries([...settings].map(([, key = "", value = ""]) => [key, value]));
    if (OWNER.uid !== undefined) chownSync(folder, OWNER.uid, OWNER.gid);
  }

  /** Starts it, the first time or after a {@link kill}. */
  start(): void {
    this.#processes = [this.#run(["etcd"]), this.#run(["patroni", join(this.#folder, "patroni.yml")])];
    this.#etcdEnv.ETCD_INITIAL_CLUSTER_STATE = "existing";
  }

  /** Ends all its processes at once, as when it loses its power. */
  kill(): void {
    const postmaster = this.#postmaster();
    // It is paused first, so that it neither notices that its children end nor starts new ones.
    if (postmaster !== undefined) process.kill(postmaster, "SIGSTOP");
    for (const child of this.#processes) child.kill("SIGKILL");
    if (postmaster === undefined) return;
    const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
    for (const pid of [...children.split(" ").filter(Boolean).map(Number), postmaster])
      process.kill(pid, "SIGKILL");
    rmSync(join(this.#folder, "data/postmaster.pid"));
  }

  #postmaster(): number | undefined {
    try {
      return Number.parseInt(readFileSync(join(this.#folder, "data/postmaster.pid"), "utf8"), 10);
    } catch {
      return undefined;
    }
  }

  #run([program = "", ...words]: string[]): ChildProcess {
    const log = openSync(join(this.#folder, `${program}.log`), "a");
    const env = { PATH: process.env.PATH ?? "", HOME: this.#folder, ...this.#etcdEnv };
    return spawn(program, words, { ...OWNER, env, cwd: this.#folder, stdio: ["ignore", log, log] });
  }
}

interface MachineOptions {
  readonly name: string;
  readonly address: string;
  /** For its data; made here. */
  readonly folder: string;
  /** The beginning of the addresses of all machines. */
  readonly network: string;
  /** The folder of PostgreSQL's programs. */
  readonly postgres: string;
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** What Patroni says of the cluster, asked at any of its machines. */
export async function members(machines: readonly Machine[]): Promise<Member[]> {
  const asked = machines.map(async ({ address }) => {
    const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) });
    return ((await response.json()) as { members: Member[] }).members;
  });
  return Promise.any(asked).catch(() => []);
}

/** Waits until all machines run, and one of the standbys confirms writes. */
export function whole(machines: readonly Machine[]): Promise<void> {
  const isWhole = async () => {
    const found = await members(machines);
    const isRunning = found.filter(({ state }) => state === "running" || state === "streaming").length;
    const has = (role: string) => found.some((member) => member.role === role);
    return isRunning === machines.length && has("leader") && has("sync_standby");
  };
  return until("the cluster is whole", isWhole, { every: 200 });
}
