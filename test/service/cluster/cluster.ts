/**
 * `npm run cluster`: makes the cluster of docs/service/cluster on this machine, from its files, and kills the leader under
 * load, again and again. It prints for how long nothing was written, what was lost, and what a search did not find.
 *
 *   --kills 5       how many
 *   --keep FOLDER   where the data and logs are, and stay
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SQL } from "bun";
import { systemPostgres } from "../../support/databases/postgres.ts";
import { freePort } from "../../support/machine/free-port.ts";
import { until } from "../../support/machine/until.ts";
import { list } from "../../support/records/bookmarks.ts";
import { sendTo } from "../../support/requests/send.ts";
import { scrape } from "../../support/server/metrics.ts";
import { startServer } from "../../support/server/server.ts";
import { Load } from "./load.ts";
import { example, Machine, members, PASSWORD, whole } from "./machine.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "5" }, keep: { type: "string" } },
});

process.env.PATH = `${process.env.PATH}:/usr/sbin`;
const missing = ["etcd", "patroni", "haproxy"].filter((program) => Bun.which(program) === null);
if (missing.length > 0 || systemPostgres === undefined) {
  console.error("This drill needs etcd, Patroni, HAProxy and PostgreSQL. On Debian 12:");
  console.error("  apt-get install etcd-server patroni haproxy postgresql-15");
  process.exit(2);
}

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "commonplace-cluster-"));
mkdirSync(folder, { recursive: true });
// PostgreSQL may run as another user.
chmodSync(folder, 0o755);
// Addresses of loopback that other drills on this machine do not have.
const network = `127.${10 + Math.floor(Math.random() * 200)}.${Math.floor(Math.random() * 250)}.`;
const postgres = systemPostgres.folder;
const machines = ["one", "two", "three"].map((name, index) => {
  const address = `${network}${index + 1}`;
  return new Machine({ name, address, folder: join(folder, name), network, postgres });
});
await using toEnd = new AsyncDisposableStack();
if (values.keep === undefined) toEnd.defer(() => rmSync(folder, { recursive: true, force: true }));
toEnd.defer(() => {
  for (const machine of machines) machine.kill();
});
process.once("SIGINT", () => toEnd.disposeAsync().finally(() => process.exit(130)));

for (const machine of machines) machine.start();
await whole(machines);
await makeDatabase();
const ports = await startHaproxy();
const several = Object.fromEntries(
  [...example("commonplace.env", network).matchAll(/^(DATABASE_\w+)=(.*)$/gm)].map(([, key, url]) => [
    key,
    url,
  ]),
);
const behindHaproxy = (port: number) => `postgres://commonplace:${PASSWORD}@127.0.0.1:${port}/commonplace`;
const ways = [await way("several hosts in the URL"), await way("HAProxy", behindHaproxy(ports.primary))];
const reading = await serve({ DATABASE_URL: behindHaproxy(ports.standbys), READ_ONLY: "on" });
console.log(`Three machines, two servers and one that reads. Data and logs: ${folder}`);

const loads = ways.map(({ name, server }) => new Load(name, sendTo(server.url)));
for (let kill = 1; kill <= Number(values.kills); kill++) {
  await until("every server writes", async () => loads.every((load) => load.writes > 20), { within: 60_000 });
  const leader = await leaderOf();
  for (const load of loads) load.reset();
  leader.kill();
  const before = loads.reduce((sum, load) => sum + load.confirmed.length, 0);
  await until("every server writes again", async () => loads.every((load) => load.writes > 200), {
    within: 120_000,
  });
  const outages = loads.map((load) => `${load.name} ${(load.longest / 1_000).toFixed(1)} s`).join(", ");
  console.log(`Kill ${kill}, of ${leader.name}: ${outages} without a write; ${before} confirmed before.`);
  leader.start();
  await whole(machines);
}
await Promise.all(loads.map((load) => load.stop()));
const confirmed = loads.flatMap((load) => load.confirmed);

let bad = 0;
for (const [index, { name, searches, stale }] of loads.entries()) {
  const { value } = await scrape(ways[index]?.metricsPort ?? 0);
  const standbys = value('commonplace_standby_reads_total{outcome="standby"}');
  bad += stale;
  console.log(
    `${name}: ${searches} searches for what was confirmed, ${stale} did not find it; standbys answered ${standbys} reads.`,
  );
}
for (const { name, server } of ways) {
  const kept = (await list(sendTo(server.url))).map(({ title }) => title);
  const has = new Set(kept);
  const lost = confirmed.filter((title) => !has.has(title)).length;
  const twice = kept.length - has.size;
  bad += lost + twice;
  console.log(`${name}: ${confirmed.length} writes confirmed, ${lost} lost, ${twice} stored twice.`);
}
await until("the server that reads has all", async () => {
  return (await list(sendTo(reading.url))).length === confirmed.length;
});
console.log("The server that reads from the standbys has all of them.");
if (bad > 0) process.exitCode = 1;

/** Makes the role and the database as the page says. */
async function makeDatabase(): Promise<void> {
  const { address } = await leaderOf();
  await using sql = new SQL({ url: `postgres://postgres:${PASSWORD}@${address}:5432/postgres`, max: 1 });
  await sql.unsafe(`create role commonplace login password '${PASSWORD}'`);
  await sql.unsafe("create database commonplace owner commonplace encoding 'UTF8' template template0");
}

async function leaderOf(): Promise<Machine> {
  const found = (await members(machines)).find(({ role }) => role === "leader");
  const leader = machines.find(({ name }) => name === found?.name);
  if (leader === undefined) throw new Error("no leader");
  return leader;
}

async function startHaproxy(): Promise<{ primary: number; standbys: number }> {
  const [primary, standbys] = [await freePort(), await freePort()];
  const configuration = example("haproxy-postgres.cfg", network)
    .replace("127.0.0.1:5432", `127.0.0.1:${primary}`)
    .replace("127.0.0.1:5433", `127.0.0.1:${standbys}`)
    .replace(/^ *(?:user|group) haproxy\n/gm, "");
  writeFileSync(join(folder, "haproxy.cfg"), configuration);
  const haproxy = Bun.spawn(["haproxy", "-db", "-f", join(folder, "haproxy.cfg")], {
    stdout: "ignore",
    stderr: "ignore",
  });
  toEnd.defer(() => haproxy.kill());
  return { primary, standbys };
}

/** A server on the way to PostgreSQL that `several` names, or on another one. */
async function way(name: string, url = several.DATABASE_URL ?? "") {
  const metricsPort = await freePort();
  const settings = { ...several, DATABASE_URL: url, METRICS_PORT: String(metricsPort) };
  return { name, metricsPort, server: await serve(settings) };
}

async function serve(settings: Record<string, string>) {
  let server: Awaited<ReturnType<typeof startServer>> | undefined;
  // As under systemd: HAProxy has not asked the machines yet, or the standbys have no tables.
  await until(
    "a server starts",
    async () => {
      server = await startServer(settings).catch(() => undefined);
      return server !== undefined;
    },
    { within: 60_000, every: 500 },
  );
  const started = server as Awaited<ReturnType<typeof startServer>>;
  toEnd.defer(() => started.kill());
  return started;
}
