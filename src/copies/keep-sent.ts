import type { Bookmark } from "../bookmarks/bookmark.ts";
import type { Sql } from "../database/database.ts";
import type { Copy } from "./copy.ts";
import type { CopyParts } from "./copy-parts.ts";
import type { SentPage } from "./sent-pages.ts";

/**
 * Keeps a page that was sent as a copy of a bookmark. Where nothing can be read in it, the original alone is kept.
 * @throws Refusal of {@link CopyKeeper.keep}
 */
export async function keepSent(
  parts: Pick<CopyParts, "database" | "keeper" | "sent">,
  bookmark: Pick<Bookmark, "id" | "url">,
  original: SentPage,
  accountId: number | undefined,
): Promise<Copy> {
  return parts.database.write(await prepareSent(parts, bookmark, original, accountId));
}

/** The same, but for the transaction: {@link CopyKeeper.prepare}. */
export async function prepareSent(
  { keeper, sent }: Pick<CopyParts, "keeper" | "sent">,
  { id, url }: Pick<Bookmark, "id" | "url">,
  original: SentPage,
  accountId: number | undefined,
): Promise<(sql: Sql) => Promise<Copy>> {
  // Before the page is read.
  await keeper.check(id, original.bytes.length);
  const page = await sent.read(original, url);
  return keeper.prepare(id, { origin: "browser", url, original, page }, accountId);
}
