/** @jsxImportSource #jsx */
import type { Markup } from "../../web/jsx/preact.js";

/** Small drawings of the ways to save a page, of 96 by 64: first what is there, then in another color what is new. */
const DRAWINGS = {
  /** A button on its way to the bar of a browser. */
  bookmarklet: [
    "M6 7h84a4 4 0 0 1 4 4v42a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V11a4 4 0 0 1 4-4zM2 27h92M9 17h.01M15 17h.01M21 17h.01M9 37h30M9 44h24",
    "M50 14h30v7H50zM65 48V28M58 34l7-7 7 7",
  ],
  /** A page on its way to an app of a phone. */
  android: [
    "M34 2h28a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H34a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5zM44 56h8M37 11h22M37 17h14",
    "M41 27h14v19l-7-5-7 5zM92 36H74M81 29l-7 7 7 7",
  ],
  /** A phone with its share sheet. */
  iphone: [
    "M34 2h28a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H34a5 5 0 0 1-5-5V7a5 5 0 0 1 5-5zM43 7h10M29 32h38M36 41h24",
    "M36 50h24M48 26V13M42 18l6-6 6 6",
  ],
  /** A button beside the address of a page. */
  extension: [
    "M6 18h84a4 4 0 0 1 4 4v20a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V22a4 4 0 0 1 4-4zM12 32h38M66 18v28",
    "M74 25h12v15l-6-4-6 4z",
  ],
  /** The site in a window of its own. */
  app: [
    "M20 7h56a4 4 0 0 1 4 4v42a4 4 0 0 1-4 4H20a4 4 0 0 1-4-4V11a4 4 0 0 1 4-4zM16 18h64M73 12.5h.01M67 12.5h.01",
    "M40 25h16v24l-8-6-8 6z",
  ],
} as const;

export type DrawnWay = keyof typeof DRAWINGS;

/** A way to save a page, drawn: screen readers do not see it. It has the colors of the text and of links. */
export function WayPicture({ of }: { readonly of: DrawnWay }): Markup {
  const [there, fresh] = DRAWINGS[of];
  return (
    <svg width={96} height={64} viewBox="0 0 96 64" aria-hidden="true">
      <path d={there} />
      <path d={fresh} />
    </svg>
  );
}
