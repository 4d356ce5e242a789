import { openDatabase } from "../src/database/open.ts";
import { messageOf } from "../src/errors.ts";
import { type Cluster, createDatabase, startCluster } from "../test/support/databases/postgres.ts";
import { type DataSet, fill } from "./data/fill.ts";
import { fillPostgres } from "./data/fill-postgres.ts";
import { type Cores, pinThisProcess } from "./machine.ts";
import { countAsOwn } from "./other-programs.ts";
import { NotMeasurable } from "./row.ts";
import { buildIndex } from "./search-index.ts";

let starting: Promise<Cluster & AsyncDisposable> | undefined;

/**
 * A database with a data set, on the PostgreSQL of the development dependencies. Apart from memory, its
 * settings are the defaults. The server is started on first use, on any core, and serves all rows.
 *
 * @param isRead whether the row only reads the database: then it is not copied
 * @returns the database's URL
 * @throws NotMeasurable if the server does not start
 */
export async function postgresDatabase(cores: Cores, set: DataSet, isRead = false): Promise<string> {
  starting ??= startOn(cores);
  const { server, admin } = await starting;
  const template = await templateOf(await starting, set);
  if (isRead) return server.url(template);
  const name = `bench_${++copies}`;
  await admin.unsafe(`create database ${name} template ${template}`);
  return server.url(name);
}

let copies = 0;

/** Template databases without connections, by data set: copying one is fast, filling one is slow. */
const templates = new Map<string, Promise<string>>();

/** @returns the template's name */
function templateOf(cluster: Cluster, set: DataSet): Promise<string> {
  const key = JSON.stringify(set);
  const template = templates.get(key) ?? makeTemplate(cluster, set);
  templates.set(key, template);
  return template;
}

async function makeTemplate(cluster: Cluster, set: DataSet): Promise<string> {
  const { url, name } = await createDatabase(cluster);
  const database = await openDatabase(url);
  const { searchable, indexed, ...others } = set;
  if (searchable && indexed && Object.keys(others).length === 0) {
    await database.close();
    await fillPostgres(url, searchable);
    return name;
  }
  await fill(database, set);
  await database.close();
  if (indexed) await buildIndex(url);
  return name;
}

/** Stops the server, if one was started. */
export async function stopPostgres(): Promise<void> {
  const cluster = await starting?.catch(() => undefined);
  await cluster?.[Symbol.asyncDispose]();
}

async function startOn(cores: Cores): Promise<Cluster & AsyncDisposable> {
  // The server inherits the cores of this process.
  pinThisProcess(cores.any);
  try {
    const cluster = await startCluster(undefined, { shared_buffers: "256MB" });
    countAsOwn(await cluster.server.pid());
    return cluster;
  } catch (error) {
    throw new NotMeasurable(`PostgreSQL does not start here: ${messageOf(error)}`);
  } finally {
    pinThisProcess(cores.load);
  }
}
