import { z } from "zod";
import type { Instant } from "../../database/database.ts";
import { fragment, joined } from "../../database/fragment.ts";
import { kept } from "../../kept/kept.ts";
import { tableLines, text as textOf } from "../../kept/lines.ts";
import { type RecordedRow, type RecordResult, thereAlready } from "../../kept/staged-record.ts";
import { instant } from "../../records/record.ts";
import { text } from "../../text.ts";
import { saveCustomCss } from "../custom-css/custom-css.ts";
import { abbreviatedValue, isSiteSetting, STYLE_SHEET, settingOf, storedName } from "./setting-values.ts";
import { type Setting, SITE_SETTINGS } from "./site-settings.ts";
import { saveSiteSetting } from "./site-store.ts";

/** Settings that no archive has. */
const INTERNAL = Object.entries(SITE_SETTINGS).flatMap(([name, setting]: [string, Setting]) =>
  setting.internal ? [fragment`${name}`] : [],
);

/** The settings of the site, and its style sheet. */
export const keptSettings = kept({
  kind: "setting",
  names: ["setting", "settings"],
  archive: {
    file: "settings.jsonl",
    shape: z.object({ name: text({ min: 1, max: 100 }), value: z.json(), updated_at: instant }),
    title: "name",

    lines: [
      tableLines({
        columns: fragment`name, value, updated_at`,
        from: fragment`site_settings`,
        where: fragment`name not in (${joined(INTERNAL, fragment`, `)})`,
        key: [fragment`name`, "name"],
        as: { value: JSON.parse, updated_at: textOf },
      }),
      {
        async read(sql, after) {
          if (after !== undefined) return [];
          const rows = await sql<{ css: string; created_at: Instant }>`select css, created_at from themes`;
          return rows.slice(0, 1).map(({ css, created_at }) => ({
            name: STYLE_SHEET,
            value: css,
            updated_at: textOf(created_at),
          }));
        },
        keyOf: () => [STYLE_SHEET],
        keysAfter: async (_, after) => (after === undefined ? [[STYLE_SHEET]] : []),
      },
    ],

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
