import { z } from "zod";
import { accessOf } from "../../accounts/scope.ts";
import { insertBookmark } from "../../bookmarks/bookmark-writer.ts";
import { mergeFields } from "../../bookmarks/merge-fields.ts";
import { findIdOfPage } from "../../bookmarks/search/bookmark-of-url.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import { PAGE_FORM } from "../../copies/page-form.ts";
import { sentPage } from "../../copies/sent-pages.ts";
import type { Database } from "../../database/database.ts";
import { holdKey } from "../../database/hold-key.ts";
import { invalid } from "../../errors.ts";
import { ok } from "../../http/response-data.ts";
import { limits } from "../../limits.ts";
import { parseWebUrl } from "../../records/bookmark-members.ts";
import { pageKey } from "../../search/text/page-key.ts";
import { describeByPage } from "./bookmark-operations.ts";
import { linkdingOperation } from "./operation.ts";

/** Where the extension SingleFile sends a page. A bookmark is created if the page has none. */
export function singleFileOperation({ database, bookmarks, keeper, sent }: CopyParts) {
  return linkdingOperation(
    {
      // Copies are never open.
      access: accessOf("private", "bookmarks").writeAccess,
      body: z.object({ url: z.string().optional(), file: z.file().optional() }),
      takes: [PAGE_FORM],
      // A form has more than its file.
      bodyLimit: limits().copyBytes + 64 * 1024,
      enter: sent.enter,
    },
    async ({ request, rawBody, caller, body: { url: asked = "", file } }) => {
      if (asked === "" || file === undefined || file.size === 0) return { ...ok(MISSING), status: 400 };
      const parsed = parseWebUrl(asked);
      if (!("href" in parsed)) throw invalid([{ pointer: "/url", ...parsed.error }]);
      const url = parsed.href;
      const original = sentPage(request, rawBody, file);
      const there = await findIdOfPage(database.read, url);
      // Before the page is read.
      if (there !== undefined) await keeper.check(there, original.bytes.length);
      const page = await sent.read(original, url);
      const { id, isNew } = await bookmarkOf(database, url, page?.title ?? "", caller.account?.id);
      if (isNew && page === undefined)
        describeByPage(bookmarks, { id, url }).catch(() => {
          // It only stays without a title.
        });
      await keeper.keep(id, { origin: "browser", url, original, page }, caller.account?.id);
      return { ...ok({ message: "Snapshot uploaded successfully." }), status: 201 };
    },
  );
}

/** As linkding says it. */
const MISSING = { error: "Both 'url' and 'file' parameters are required." };

/** The bookmark of a page; a new one is there, whatever becomes of the copy. Simultaneous requests create only one. */
function bookmarkOf(
  database: Database,
  url: string,
  title: string,
  accountId: number | undefined,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  return database.write(async (sql) => {
    await holdKey(sql, pageKey(url));
    const there = await findIdOfPage(sql, url);
    if (there !== undefined) return { id: there, isNew: false };
    const fields = mergeFields(undefined, { url, title });
    const { id } = await insertBookmark(sql, fields, accountId, database.clock.now());
    return { id, isNew: true };
  });
}
