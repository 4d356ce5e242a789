import { z } from "zod";
import type { Client } from "../http/client/client.ts";
import type { PageContext } from "../web/page.tsx";

const optional = z.string().optional();

/** The query parameters of the library; unknown values count as absent. */
export const LibraryQuery = z.object({
  q: optional,
  sort: optional,
  cursor: optional,
  show: optional,
  view: optional,
  /** `on` or `off`: whether pictures stand beside the rows. */
  pictures: optional,
  select: optional,
  /** `1` for a search that says a date, when its words alone are wanted. */
  words: optional,
  /** The ids of the selected bookmarks, joined by dots, or `all`, after a change of them. */
  ticked: optional,
  /** The id of the bookmark that gets tags. */
  tag: optional,
});
export type LibraryQuery = z.output<typeof LibraryQuery>;

/** A request for the list, or for a change of it that was refused. */
export type LibraryCall = PageContext & { readonly query: LibraryQuery; readonly client: Client };
