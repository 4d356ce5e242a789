import type { PagePicture } from "./data-picture.ts";
import { readTree } from "./page-tree.ts";
import { sanitizeCopy } from "./sanitize-copy.ts";

/** Where pictures of a text are that are named as its parts. */
const BASE = "https://copy.invalid/";

/**
 * The text of a copy from elsewhere, such as an archive, sanitized as that of a page is; one that was written here stays as it is.
 * Pictures keep their names.
 * @throws ExtractionError
 */
export function sanitizedAgain(html: string): string {
  const { document, dataUrls } = readTree(html, BASE);
  const source = { url: BASE, base: BASE, dataUrls, hasFilms: true, isCopy: true };
  const { html: sanitized, pictures } = sanitizeCopy([document.body], source);
  const again = pictures.length === 0 ? sanitized : withNames(sanitized, pictures);
  return comparable(again) === comparable(html) ? html : again;
}

/** Without what the sanitizer adds each time: the beginning of names in the text, and spaces. */
function comparable(html: string): string {
  return html.replace(/(?<=["#])(?:copy-)+/g, "copy-").replace(/\s+/g, " ");
}

function withNames(html: string, pictures: readonly PagePicture[]): string {
  return new HTMLRewriter()
    .on("img", {
      element(image) {
        const number = Number(/^picture-(\d+)$/.exec(image.getAttribute("src") ?? "")?.[1]);
        const { url } = pictures[number - 1] ?? { url: "" };
        const name = url.startsWith(BASE) ? url.slice(BASE.length) : "";
        if (/^picture-\d{1,4}$/.test(name)) image.setAttribute("src", name);
        else image.remove();
      },
    })
    .transform(html);
}
