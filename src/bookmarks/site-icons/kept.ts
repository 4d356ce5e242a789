import { z } from "zod";
import { pages } from "../../batches.ts";
import type { Instant } from "../../database/database.ts";
import { kept } from "../../kept/kept.ts";
import { instant } from "../../kept/record-fields.ts";
import { type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { acceptIcon } from "../../media/accept-icon.ts";
import { text } from "../../text.ts";
import { purgeSiteIcons, siteIconReadAt, storeSiteIcon } from "./site-icon-store.ts";

const AT_ONCE = 500;

/** The icon of a site, as base64. Undoing an import leaves it: an icon goes with the last bookmark of its site. */
export const keptIcons = kept({
  kind: "icon",
  names: ["icon of a site", "icons of sites"],
  purge: purgeSiteIcons,
  archive: {
    file: "icons.jsonl",
    shape: z.object({ host: text({ min: 1, max: 500 }), large: z.base64().max(4_000), read_at: instant }),
    title: "host",
    isCounted: true,

    async *records(sql) {
      const after = (last?: { host: string; large: Uint8Array; read_at: Instant }) => sql<
        NonNullable<typeof last>
      >`
        select host, large, read_at from site_icons where host > ${last?.host ?? ""} order by host limit ${AT_ONCE}`;
      for await (const rows of pages(after))
        for (const { host, large, read_at } of rows)
          yield {
            host,
            large: Buffer.from(large).toString("base64"),
            read_at: new Date(read_at).toISOString(),
          };
    },

    async bringIn({ sql, isDry }, icons) {
      await icons.each(async (batch) => {
        const results: RecordResult[] = [];
        for (const { position, record } of batch) {
          const { host } = record;
          const icon = await acceptIcon(Buffer.from(record.large, "base64"));
          if (icon === undefined) {
            const detail = "This is not an icon.";
            results.push({ position, outcome: "refused", reason: "wrong_image", detail });
          } else if ((await siteIconReadAt(sql, host)) !== undefined) {
            results.push(thereAlready(position, "This site already has an icon.", { key: host }));
          } else {
            if (!isDry) await storeSiteIcon(sql, host, icon, new Date(record.read_at));
            results.push({ position, outcome: "added", key: host });
          }
        }
        return results;
      });
    },
  },
});
