import { areNotesShared } from "../../accounts/keys.ts";
import type { BookmarkParts } from "../../bookmarks/bookmark-parts.ts";
import { mayReadCopies } from "../../bookmarks/search/inside-copies.ts";
import { currentAccess } from "../../http/access.ts";
import type { MarkPlace } from "../../transfer/import/keep-marks.ts";
import type { PageContext } from "../../web/page.tsx";

/** What marks become that a caller imports now. Before the first account, nobody else may read notes. */
export async function markPlace(
  { copies, readAccess, database }: Pick<BookmarkParts, "copies" | "readAccess" | "database">,
  context: Pick<PageContext, "request" | "stamp" | "caller">,
): Promise<MarkPlace> {
  if (!(await mayReadCopies({ copies }, context))) return "notes";
  if (context.caller.account === undefined) return "either";
  const { anonymous } = await currentAccess(readAccess, context);
  return anonymous || (await areNotesShared(database.read, database.clock.now())) ? "marks" : "either";
}
