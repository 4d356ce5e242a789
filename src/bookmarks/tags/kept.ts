import { z } from "zod";
import { pages } from "../../batches.ts";
import type { Instant } from "../../database/database.ts";
import { fragment, joined } from "../../database/fragment.ts";
import { kept } from "../../kept/kept.ts";
import { instant } from "../../kept/record-fields.ts";
import { type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { tagKey } from "../../tags/tag-name.ts";
import { text } from "../../text.ts";

const AT_ONCE = 500;

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

    async *records(sql) {
      const after = (last?: { id: number; name: string; created_at: Instant }) => sql<
        NonNullable<typeof last>
      >`
        select id, name, created_at from tags where id > ${Number(last?.id ?? 0)} order by id limit ${AT_ONCE}`;
      for await (const rows of pages(after))
        for (const { id, name, created_at } of rows)
          yield { id: Number(id), name, created_at: new Date(created_at).toISOString() };
    },

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
