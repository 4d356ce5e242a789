/**
 * How many comparisons of names a body may cost the runtime's parser. Its hash of names is the same everywhere and for
 * ever, so names can be chosen to collide: then each member is compared with every name there is. 90,000 different
 * ones fit into 1 MiB and keep the parser busy for 17 seconds, in which nobody is served; a thousand cost it 3 ms.
 */
const COMPARISONS_MAX = 1_000_000;
/** A member takes five bytes at least (`"":0,`), and it takes a thousand, each of another name, to reach it. */
const COUNTED_FROM = 5 * Math.sqrt(COMPARISONS_MAX);

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * Whether the members of a JSON text, those of objects within others too, could keep the parser busy by their names.
 * Members whose names come again and again, as in a list of records, may be many.
 */
export function hasTooManyNames(json: Uint8Array): boolean {
  if (json.length <= COUNTED_FROM) return false;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.length);
  // A set of them suffers as the parser would, and no longer than up to the bound.
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
