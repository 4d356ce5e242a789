import { z } from "zod";
import { fragment, joined } from "../../database/fragment.ts";
import { kept } from "../../kept/kept.ts";
import { tableLines, text as textOf } from "../../kept/lines.ts";
import { type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { instant } from "../../records/record.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";

/** Ids and dates of tags, for clients of linkding. Undoing an import leaves them. */
export const keptTags = kept({
  kind: "tag",
  names: ["tag", "tags"],
  archive: {
    file: "tags.jsonl",
    shape: z.object({
      name: text({ min: 1, max: 200 }).refine((name) => tagKey(name) !== "", "Not a tag."),
      created_at: instant,
    }),
    title: "name",
    isCounted: true,
    table: "tags",

    lines: tableLines({
      columns: fragment`id, name, created_at`,
      from: fragment`tags`,
      key: [fragment`id`, "id"],
      as: { id: Number, created_at: textOf },
      ids: "tags",
    }),

    async bringIn(run, tags) {
      const { sql, isDry } = run;
      const ids = await run.ids("tags");
      await tags.each(async (batch) => {
        await ids.prepare(batch.length);
        const keys = batch.map(({ record }) => fragment`key = ${tagKey(record.name)}`);
        const rows = await sql<{ id: number; key: string }>`
          select id, key from tags where ${joined(keys, fragment` or `)}`;
        const known = new Set(rows.map(({ key }) => key));
        const results: RecordResult[] = [];
        for (const { position, record, wantedId } of batch) {
          const key = tagKey(record.name);
          if (known.has(key)) {
            results.push(thereAlready(position, "It already exists.", { key }));
            continue;
          }
          known.add(key);
          const id = ids.take(wantedId);
          if (!isDry)
            await sql`
              insert into tags (id, key, name, created_at)
              values (${id}, ${key}, ${record.name}, ${new Date(record.created_at)})`;
          results.push({ position, outcome: "added", id: isDry ? null : id });
        }
        return results;
      });
    },
  },
});
