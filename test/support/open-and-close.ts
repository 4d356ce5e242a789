import { openSqlite } from "../../src/database/sqlite/sqlite.ts";

// A process that opens the database named on its command line, and closes it: its exit code says how it went.
const [, , path = ""] = process.argv;
const database = await openSqlite(path);
await database.close();
