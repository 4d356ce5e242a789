/** A UUID in its usual form, in lower case (RFC 9562, section 4). */
export function parseEditKey(key: string): string | undefined {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key) ? key.toLowerCase() : undefined;
}
