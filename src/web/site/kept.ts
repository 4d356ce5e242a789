import { z } from "zod";
import type { Instant } from "../../database/database.ts";
import { kept } from "../../kept/kept.ts";
import { instant } from "../../kept/record-fields.ts";
import { type RecordedRow, type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { text } from "../../text.ts";
import { saveCustomCss } from "../custom-css/custom-css.ts";
import { abbreviatedValue, isSiteSetting, STYLE_SHEET, settingOf, storedName } from "./setting-values.ts";
import { saveSiteSetting } from "./site-store.ts";

/** The settings of the site, and its style sheet. */
export const keptSettings = kept({
  kind: "setting",
  names: ["setting", "settings"],
  archive: {
    file: "settings.jsonl",
    shape: z.object({ name: text({ min: 1, max: 100 }), value: z.json(), updated_at: instant }),
    title: "name",

    async *records(sql) {
      const rows = await sql<{ name: string; value: string; updated_at: Instant }>`
        select name, value, updated_at from site_settings order by name`;
      for (const { name, value, updated_at } of rows)
        if (!settingOf(name)?.internal)
          yield { name, value: JSON.parse(value), updated_at: new Date(updated_at).toISOString() };
      const [theme] = await sql<{ css: string; created_at: Instant }>`select css, created_at from themes`;
      if (theme !== undefined)
        yield { name: STYLE_SHEET, value: theme.css, updated_at: new Date(theme.created_at).toISOString() };
    },

    /**
     * Those that have no value here. Those that decide who may see or write something are only restored by the operator, into an
     * empty database.
     */
    async bringIn(run, settings) {
      await settings.each(async (batch) => {
        const rows = await run.sql<{ name: string }>`select name from site_settings`;
        const known = new Set(rows.map(({ name }) => name));
        const mayOpen = run.importer === "operator" && (await run.isIntoEmpty());
        const results: RecordResult[] = [];
        for (const { position, record } of batch) {
          const { name, value } = record;
          if (!isSiteSetting(name, value)) {
            const detail = "Not a setting of this version.";
            results.push({ position, outcome: "refused", reason: "unknown_value", detail });
          } else if (settingOf(name)?.decidesAccess && !mayOpen) {
            results.push({
              position,
              outcome: "skipped",
              reason: "not_from_file",
              detail: `Left out (${abbreviatedValue(value)}): a file does not decide who may see or write something. Choose it in the settings.`,
              key: name,
            });
          } else if (known.has(storedName(name))) {
            results.push(thereAlready(position, "This setting already has a value.", { key: name }));
          } else {
            known.add(storedName(name));
            const updatedAt = new Date(record.updated_at);
            if (!run.isDry) {
              if (name === STYLE_SHEET) await saveCustomCss(run.sql, String(value), updatedAt);
              else await saveSiteSetting(run.sql, name, value, updatedAt);
            }
            results.push({
              ...{ position, outcome: "added", key: name, version: updatedAt.getTime() },
              detail: `Value: ${abbreviatedValue(value)}`,
            });
          }
        }
        return results;
      });
    },

    async takeBack(undo) {
      await undo.each(async (rows) => {
        const stay: RecordedRow[] = [];
        for (const row of rows) {
          const name = storedName(row.key ?? "");
          const [setting] = await undo.sql<{ updated_at: Instant }>`
            update site_settings set value = value where name = ${name} returning updated_at`;
          if (setting === undefined) continue;
          if (new Date(setting.updated_at).getTime() !== row.version) stay.push(row);
          else {
            await undo.sql`delete from site_settings where name = ${name}`;
            if (row.key === STYLE_SHEET) await undo.sql`delete from themes`;
            undo.count(1);
          }
        }
        return stay;
      });
    },
  },
});
