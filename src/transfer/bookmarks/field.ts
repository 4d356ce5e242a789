/** How much of a field is read, in characters, if the file has more: one more than is ever stored, so that it is refused. */
export const FIELD_MAX = 1024 * 1024 + 1;

/** A field with the next part of its text, unless it has enough. */
export function extended(field: string, part: string): string {
  return field.length < FIELD_MAX ? field + part : field;
}
