import { z } from "zod";
import { makeTagName, NOT_IN_TAGS, TAG_NAME_MAX } from "../../tags/tag-name.ts";
import { asIssue, text } from "../../text.ts";

/** A tag name of a client: white space becomes `-`, a leading `#` is left off. */
export const TagName = text({ max: TAG_NAME_MAX })
  .transform((value, context): string => {
    const name = makeTagName(value);
    if (name !== null) return name;
    context.issues.push(asIssue({ code: "tag_invalid", detail: "Not a valid tag name." }, value));
    return z.NEVER;
  })
  .meta({
    type: "string",
    minLength: 1,
    maxLength: TAG_NAME_MAX,
    pattern: `^[^#${NOT_IN_TAGS}-]`,
    description: "Any characters except white space, which becomes `-`; `/` nests tags.",
    example: "dev/js",
  });

/** The maximum number of tags in a request. */
export const TAGS_MAX = 1_000;

/** Tag names in a body. */
export const TagNames = z.array(TagName).max(TAGS_MAX);
