import { Parser } from "htmlparser2";
import { EMBEDDING, embeddedAddress } from "../../decoding/embedded.ts";
import { withoutCode } from "../pictures/linked-pictures.ts";
import { Tally } from "../reading/tally.ts";
import type { Staging } from "../staging.ts";

/** Elements of which nothing is shown, or not what they are for. */
const NOT_SHOWN = new Set([
  ...["script", "form", "input", "select", "textarea", "button", "canvas", "svg", "math", "map", "applet"],
]);
const ANY =
  /<(?:script|form|input|select|textarea|button|canvas|svg|math|map|applet|iframe|video|audio|object|embed|amp-|lite-)/i;

/** The names of the elements in a text of Markdown or HTML of which a page shows nothing, or not what they are for. */
export function notShown(content: string): ReadonlySet<string> {
  const found = new Set<string>();
  if (!ANY.test(content)) return found;
  // An embedding element that says no address, until one inside says it.
  let open: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (NOT_SHOWN.has(name)) found.add(name);
      const isEmbedding = EMBEDDING.test(name);
      if (!isEmbedding && open === undefined) return;
      if (embeddedAddress(name, attributes) !== "") open = undefined;
      else if (isEmbedding && open === undefined) open = name;
    },
    onclosetag(name) {
      if (name !== open) return;
      found.add(name);
      open = undefined;
    },
  });
  parser.end(withoutCode(content).text);
  return found;
}

/** Adds a note with the elements of which the pages of posts show nothing. */
export function noteNotShown(records: Staging): void {
  const tally = new Tally();
  for (const batch of records.batches("post", 10))
    for (const { position, record } of batch)
      for (const name of notShown(record.content)) tally.add(`<${name}>`, records.locationOf(position));
  tally.report(records, "not_shown", (name, posts) => `Left out on pages: ${name} in ${posts}.`);
}
