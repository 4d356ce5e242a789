/**
 * Limit on name comparisons in the runtime's JSON parser. Its hash function is fixed, so names can be chosen to
 * collide, and each member is then compared with all names: 90,000 names in 1 MiB block the parser for 17 seconds, a
 * thousand for 3 ms.
 */
const COMPARISONS_MAX = 1_000_000;
/** A member has at least five bytes (`"":0,`), and a thousand different names reach the limit: shorter bodies are safe. */
const COUNTED_FROM = 5 * Math.sqrt(COMPARISONS_MAX);

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Whether the member names of a JSON text, nested objects included, could exceed the limit. Repeated names, as in a
 * list of records, are harmless.
 */
export function hasTooManyNames(json: Uint8Array): boolean {
  if (json.length <= COUNTED_FROM) return false;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // This set suffers from collisions like the parser, but only up to the limit.
  const names = new Set<string>();
  let members = 0;
  let start = 0;
  let end = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === QUOTE) {
      if (inString) end = index;
      else start = index + 1;
      inString = !inString;
    } else if (byte === BACKSLASH && inString) index++;
    else if (byte === COLON && !inString) {
      // Each member has one colon outside of strings, and its name is the string before.
      names.add(bytes.toString("latin1", start, end));
      members++;
      if (members * names.size > COMPARISONS_MAX) return true;
    }
  }
  return false;
}
