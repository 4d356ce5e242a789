import { z } from "zod";
import { asIssue, Timestamp, text } from "../../text.ts";

const FIELDS_MAX = 40;

/** A working copy as an editor sends it: the text and the other fields of its form, unchecked. */
export const EditReplace = z
  .object({
    post: z.int().min(1).nullable().default(null).describe("The id of the post; null for a new one."),
    base_version: z
      .int()
      .min(1)
      .nullable()
      .default(null)
      .describe(
        "The number of the post's version that the working copy is based on: one more than that of its newest previous version.",
      ),
    title: text({ max: 5_000 }).default(""),
    content: text().default(""),
    fields: z
      .record(text({ min: 1, max: 64 }), text({ max: 10_000 }))
      .default({})
      .check((context) => {
        const detail = `At most ${FIELDS_MAX} fields.`;
        if (Object.keys(context.value).length > FIELDS_MAX)
          context.issues.push(asIssue({ code: "out_of_range", detail }, context.value));
      })
      .meta({ maxProperties: FIELDS_MAX, description: "The other form fields, as typed." }),
  })
  .meta({ id: "EditReplace" });
export type EditReplace = z.output<typeof EditReplace>;

export const EditResponse = z
  .object({
    key: z.string(),
    post: z.int().nullable(),
    base_version: z.int().nullable(),
    title: z.string(),
    content: z.string(),
    fields: z.record(z.string(), z.string()),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Edit" });

/** A working copy of an existing or a new post. It does not affect the published post. */
export interface Edit extends EditReplace {
  /** A UUID, chosen by the client. */
  readonly key: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether an edit already has exactly this content, as after a repeated request. */
export function hasSameContent(edit: Edit, wanted: EditReplace): boolean {
  return textOf(edit) === textOf(wanted);
}

export function toEditResponse(edit: Edit): z.output<typeof EditResponse> {
  const { key, post, base_version, title, content, fields, createdAt, updatedAt } = edit;
  return {
    key,
    post,
    base_version,
    title,
    content,
    fields,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function textOf({ post, base_version, title, content, fields }: EditReplace): string {
  const sorted = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([post, base_version, title, content, sorted]);
}
