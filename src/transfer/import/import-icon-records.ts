import { siteIconReadAt, storeSiteIcon } from "../../bookmarks/site-icons/site-icon-store.ts";
import { acceptIcon } from "../../media/accept-icon.ts";
import type { ImportRun } from "./import-run.ts";
import { type RecordResult, thereAlready } from "./staged-record.ts";

/** Imports icons of sites that have none here. Undoing leaves them: an icon goes with the last bookmark of its site. */
export async function importIconRecords(run: ImportRun): Promise<void> {
  await run.each("icon", async (batch) => {
    const results: RecordResult[] = [];
    for (const { position, record } of batch) {
      const { host } = record;
      const icon = await acceptIcon(Buffer.from(record.large, "base64"));
      if (icon === undefined) {
        results.push({
          position,
          outcome: "refused",
          reason: "wrong_image",
          detail: "This is not an icon.",
        });
      } else if ((await siteIconReadAt(run.sql, host)) !== undefined) {
        results.push(thereAlready(position, "This site already has an icon.", { key: host }));
      } else {
        if (!run.isDry) await storeSiteIcon(run.sql, host, icon, new Date(record.read_at));
        results.push({ position, outcome: "added", key: host });
      }
    }
    return results;
  });
}
