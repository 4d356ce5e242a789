import { z } from "zod";
import { KEPT_REASONS } from "../changes/undo.ts";
import { endpoint, type Routes } from "../http/endpoint.ts";
import { ok } from "../http/response-data.ts";
import { UNDOABLE } from "../nouns.ts";
import { asIssue } from "../text.ts";
import { UNDO_TAG, type UndoParts } from "../undo/undo-api.ts";
import type { Site } from "../web/site/site-store.ts";
import { dayOf } from "./token-changes.ts";
import { nothingChanged, undoSpan } from "./undo-day.ts";

/** A day of the calendar, `YYYY-MM-DD`. */
export const CalendarDay = z
  .string()
  .check((context) => {
    const { value } = context;
    const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
    if (!isDay || new Date(value).toISOString().slice(0, 10) !== value)
      context.issues.push(asIssue({ code: "bad_date", detail: "Must be a day, as in 2026-11-28." }, value));
  })
  .meta({ format: "date", description: "A day of the site's time zone.", example: "2026-11-28" });

const DayUndone = z
  .object({
    undone: z.int().describe("The number of records put back; one that was changed twice counts twice."),
    kept: z
      .array(
        z.object({
          kind: z.enum(UNDOABLE.map(({ kind }) => kind) as [string, ...string[]]),
          id: z.int(),
          title: z.string(),
          url: z.string(),
          why: z
            .enum(KEPT_REASONS)
            .describe(
              "`changed`: somebody changed it after the token; `used`: somebody marks or reads its page, has sent it, or has merged others into it; `edited`: somebody is writing it; `published`: it was published; `gone`: it was removed or deleted.",
            ),
        }),
      )
      .describe("The records that somebody else has touched since; they stay as they are."),
  })
  .meta({ id: "DayUndone" });

/** Undoes what an agent did on a day (docs/agents.md). */
export function agentApi({ database, access, site }: UndoParts & { readonly site: Site }): Routes {
  const undoDay = endpoint(
    {
      id: "undoDay",
      tag: UNDO_TAG,
      summary: "Undo what a token did on a day",
      description:
        "Undoes the changes that an agent made with a token, newest first; what else the token did over HTTP is not among them. Each is undone as by its own `undo` path. Can be repeated: what is undone already stays so. Needs the scopes that the changes needed; where there are none, those that an agent can need.",
      access: { anonymous: false },
      body: z
        .object({
          token: z.int().min(1).describe("The id of the token, which may have ended."),
          day: CalendarDay,
        })
        .meta({ id: "UndoDay" }),
      example: { token: 7, day: "2026-11-28" },
      responses: {
        200: {
          description: "What was undone, and what stays.",
          schema: DayUndone,
          example: {
            undone: 12,
            kept: [{ kind: "bookmark", id: 7, title: "Bun", url: "https://bun.sh/", why: "changed" }],
          },
        },
      },
      refusals: [nothingChanged(7)],
    },
    async (call) => {
      const { body } = call;
      const { permit, readable } = await access.of(call, true);
      const { timeZone } = await site.settings();
      const span = dayOf(body.token, body.day, timeZone);
      let mayRead = true;
      const { undone, kept } = await undoSpan(database, span, database.clock.now(), (kind) => {
        permit(kind);
        mayRead &&= readable.includes(kind);
      });
      if (!mayRead) return ok({});
      const shown = kept.map(({ record: kind, id, title, url, why }) => ({ kind, id, title, url, why }));
      return ok({ undone, kept: shown });
    },
  );
  return { "/api/undo/day/": { POST: undoDay } };
}
