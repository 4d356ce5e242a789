import type { Row } from "./row.ts";
import { createOne } from "./rows/create-one.ts";
import { createPost, createPostAlone } from "./rows/create-post.ts";
import { deepPages } from "./rows/deep-pages.ts";
import { fetchOne } from "./rows/fetch-one.ts";
import { firstPageCompressed, firstPageFresh, firstPageKept, frontPage, onePost } from "./rows/first-page.ts";
import { fullLoad } from "./rows/full-load.ts";
import { growthRows } from "./rows/growth.ts";
import { idleMemory } from "./rows/idle-memory.ts";
import { importFile } from "./rows/import-file.ts";
import { peerRows } from "./rows/peers.ts";
import { postgresRows } from "./rows/postgres.ts";
import { readAmidWrites } from "./rows/read-amid-writes.ts";
import { searchMillionRows, searchRows } from "./rows/search.ts";
import { signIn } from "./rows/sign-in.ts";
import { slowDisk } from "./rows/slow-disk.ts";
import { start } from "./rows/start.ts";
import { unchangedPage } from "./rows/unchanged-page.ts";
import { wholeBigList } from "./rows/whole-big-list.ts";
import { wholeList } from "./rows/whole-list.ts";
import { workerRows } from "./rows/workers.ts";

/** Everything that is measured, in the order of the table. */
export const rows: readonly Row[] = [
  fetchOne,
  createOne,
  wholeList,
  wholeBigList,
  importFile,
  onePost,
  firstPageKept,
  firstPageCompressed,
  firstPageFresh,
  frontPage,
  readAmidWrites,
  unchangedPage,
  createPostAlone,
  createPost,
  ...deepPages,
  ...growthRows,
  signIn,
  start,
  idleMemory,
  fullLoad,
  slowDisk,
  ...workerRows,
  ...postgresRows,
  ...searchRows,
  ...peerRows,
];

/** Rows with a long preparation: measured only on request. */
export const longRows: readonly Row[] = searchMillionRows;
