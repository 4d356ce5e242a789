import { openSqlite } from "../../../src/database/sqlite/sqlite.ts";

// A process that opens the database named on its command line and closes it. Its exit code shows whether that
// succeeded.
const [, , path = ""] = process.argv;
const database = await openSqlite(path);
await database.close();
