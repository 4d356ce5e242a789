import { inBatches } from "../../batches.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import { invalid } from "../../errors.ts";
import { authorize, currentAccess } from "../../http/access.ts";
import type { PageContext } from "../../web/page.tsx";

/** Links of which copies are asked for in one step: the server fetches one page after another. */
export const ASKED_MAX = 1_000;

/** How many are asked for in one transaction. */
const AT_ONCE = 100;

/**
 * Lets the server fetch the pages of bookmarks.
 * @returns how many of them: those that are there
 * @throws Refusal when the caller may not keep copies, when there are too many, and where no pages are fetched
 */
export async function askForCopies(
  { database, fetching, writeAccess }: CopyParts,
  context: Pick<PageContext, "request" | "stamp" | "caller" | "messages">,
  ids: readonly number[],
): Promise<number> {
  const { caller, messages } = context;
  authorize(caller, await currentAccess(writeAccess, context));
  const labels = messages.copies.selected;
  if (fetching === undefined) throw invalid([{ pointer: "", code: "unknown_value", detail: labels.none }]);
  if (ids.length > ASKED_MAX)
    throw invalid([{ pointer: "", code: "out_of_range", detail: labels.tooMany(ASKED_MAX) }]);
  let asked = 0;
  // In one order, so that two of these do not wait for each other.
  for (const batch of inBatches(
    ids.toSorted((one, other) => one - other),
    AT_ONCE,
  ))
    asked += await database.write(async (sql) => {
      const there = await sql<{ id: number }>`select id from bookmarks where id in ${batch} order by id`;
      for (const { id } of there) await fetching.request(sql, Number(id), caller.account?.id);
      return there.length;
    });
  if (asked > 0) fetching.wake();
  return asked;
}
