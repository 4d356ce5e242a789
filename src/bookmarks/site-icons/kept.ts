import { z } from "zod";
import { fragment } from "../../database/fragment.ts";
import { kept } from "../../kept/kept.ts";
import { tableLines, text as textOf } from "../../kept/lines.ts";
import { type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { acceptIcon } from "../../media/accept-icon.ts";
import { instant } from "../../records/record.ts";
import { text } from "../../text.ts";
import { purgeSiteIcons, siteIconReadAt, storeSiteIcon } from "./site-icon-store.ts";

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

    lines: tableLines({
      columns: fragment`host, large, read_at`,
      from: fragment`site_icons`,
      key: [fragment`host`, "host"],
      as: { large: (bytes: Uint8Array) => Buffer.from(bytes).toString("base64"), read_at: textOf },
    }),

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
