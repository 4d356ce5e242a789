import { pictureName } from "../../copies/copy.ts";
import { local } from "../../web/urls.ts";

/** The id of the place in a text where its reader stopped. */
export const STOPPED = "stopped";

/** A tag, a character by its name or number, or text without any. */
const TOKENS = /<(\/?)([a-z0-9]+)(?![a-z0-9])[^<>]*>|&[^;\s]{1,12};|[^<&]+|[<&]/gi;

/** What the text of a copy is shown with. */
export interface TextSurroundings {
  readonly bookmarkId: number;
  readonly copyId: number;
  /** Where the reader stopped: the number of characters before it, as `textContent` has them in the browser. */
  readonly place: number | undefined;
  /** The name of a table, which scrolls by itself. */
  readonly tableLabel: string;
}

/**
 * The sanitized text of a copy as the room shows it: pictures by their addresses, tables and code that scroll by themselves, and an
 * element with the id {@link STOPPED} where the reader stopped.
 * @param html as `sanitize-copy.ts` writes it: no attribute has `<` or `>`
 */
export function textForRoom(
  html: string,
  around: TextSurroundings,
): { readonly html: string; readonly hasPlace: boolean } {
  const parts: string[] = [];
  let before = around.place === undefined || around.place <= 0 ? undefined : around.place;
  let formulas = 0;
  let hasPlace = false;
  for (const [token, slash, name] of html.matchAll(TOKENS)) {
    if (name !== undefined) {
      if (name === "math") formulas += slash === "" ? 1 : -1;
      parts.push(tagForRoom(token, slash === "", name, around));
      continue;
    }
    const length = token.startsWith("&") && token.length > 1 ? 1 : token.length;
    // In a formula, another element would end it; between the parts of a table, there is no text.
    if (before === undefined || before >= length || formulas > 0 || token.trim() === "") {
      if (before !== undefined) before = Math.max(before - length, 0);
      parts.push(token);
      continue;
    }
    const at = token.lastIndexOf(" ", before) + 1;
    parts.push(token.slice(0, at), `<span id="${STOPPED}"></span>`, token.slice(at));
    before = undefined;
    hasPlace = true;
  }
  return { html: parts.join(""), hasPlace };
}

function tagForRoom(
  tag: string,
  isStart: boolean,
  name: string,
  { bookmarkId, copyId, tableLabel }: TextSurroundings,
): string {
  if (name === "table")
    return isStart
      ? `<div class="table" role="group" tabindex="0" aria-label="${tableLabel}">${tag}`
      : `${tag}</div>`;
  if (name === "pre" && isStart) return tag.replace(/^<pre/, '<pre tabindex="0"');
  if (name !== "img") return tag;
  return tag.replace(/ src="picture-(\d{1,4})"/, (_, number: string) => {
    const path = local(`/bookmarks/${bookmarkId}/copies/${copyId}/${pictureName(Number(number))}`);
    return ` src="${path}"`;
  });
}
