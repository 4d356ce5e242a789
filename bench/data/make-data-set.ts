import { openDatabase } from "../../src/database/open.ts";
import { buildIndex } from "../search-index.ts";
import type { DataSet } from "./fill.ts";
import { fillSqlite } from "./fill-sqlite.ts";

/** Makes a SQLite database in a separate process. Arguments: its path, and the data set as JSON. */
const [path = "", set = "{}"] = process.argv.slice(2);
const database = await openDatabase(`sqlite:${path}`);
await database.close();
const data: DataSet = JSON.parse(set);
fillSqlite(path, data);
if (data.indexed) await buildIndex(path);
