import type { Row } from "./row.ts";
import { createOne } from "./rows/create-one.ts";
import { createPost } from "./rows/create-post.ts";
import { extract } from "./rows/extract.ts";
import { fetchOne } from "./rows/fetch-one.ts";
import { firstPageKept } from "./rows/first-page.ts";
import { growthRows } from "./rows/growth.ts";
import { idleMemory } from "./rows/idle-memory.ts";
import { importFile } from "./rows/import-file.ts";
import { peerRows } from "./rows/peers.ts";
import { searchMillionRows, searchRows } from "./rows/search.ts";
import { start } from "./rows/start.ts";

/** Everything that is measured, in the order of the table. */
export const rows: readonly Row[] = [
  fetchOne,
  createOne,
  importFile,
  firstPageKept,
  createPost,
  ...growthRows,
  start,
  idleMemory,
  extract,
  ...searchRows,
  ...peerRows,
];

/** Rows with a long preparation: measured only on request. */
export const longRows: readonly Row[] = searchMillionRows;
