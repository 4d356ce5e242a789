import {
  type BodyDecoder,
  FORM_BODY,
  type FormFields,
  JSON_BODY,
  MULTIPART_BODY,
} from "../../http/body/body-decoders.ts";

/** The members that are lists. */
const LISTS = new Set(["tag_names"]);

/** The bodies that linkding takes: JSON, and forms with or without files, which Django REST framework reads as JSON. */
export const LINKDING_BODIES: readonly BodyDecoder[] = [
  JSON_BODY,
  ...[FORM_BODY, MULTIPART_BODY].map(
    ({ mediaType, decode }): BodyDecoder => ({
      mediaType,
      decode: async (bytes, request) => membersOf((await decode(bytes, request)) as FormFields),
    }),
  ),
];

/** The members of a form: of a repeated field the last value, and of a list all, also as `tag_names[0]`; files are left out. */
function membersOf(fields: FormFields): Record<string, string | string[]> {
  const members: Record<string, string | string[]> = {};
  for (const [field, given] of Object.entries(fields)) {
    const name = field.replace(/\[\d{0,4}\]$/, "");
    const values = [given].flat().filter((value) => typeof value === "string");
    const isList = LISTS.has(name);
    if (isList) members[name] = [...(members[name] ?? []), ...values.filter((value) => value !== "")];
    else if (values.length > 0) members[field] = values.at(-1) ?? "";
  }
  return members;
}
