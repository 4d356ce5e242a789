import type { Row } from "./row.ts";
import { createOne } from "./rows/create-one.ts";
import { fetchOne } from "./rows/fetch-one.ts";
import { idleMemory } from "./rows/idle-memory.ts";
import { importFile } from "./rows/import-file.ts";
import { start } from "./rows/start.ts";
import { wholeList } from "./rows/whole-list.ts";

/** Everything that is measured, in the order of the table. */
export const rows: readonly Row[] = [fetchOne, createOne, wholeList, start, idleMemory, importFile];
