import { z } from "zod";

/** Bookmarks per page. */
export const PAGE = 50;

const optional = z.string().optional();

/** The query parameters of the library; unknown values count as absent. */
export const LibraryQuery = z.object({
  q: optional,
  sort: optional,
  cursor: optional,
  show: optional,
  view: optional,
  select: optional,
});
export type LibraryQuery = z.output<typeof LibraryQuery>;
