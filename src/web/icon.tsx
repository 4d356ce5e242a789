/** @jsxImportSource #jsx */
import { assetUrl } from "./assets.ts";
import type { Markup } from "./jsx/preact.js";
import { withFragment } from "./urls.ts";

/** The symbols of `public/icons.svg`, drawn on a grid of 24 pixels. */
export const ICONS = [
  "add",
  "archive",
  "arrow-left",
  "arrow-right",
  "book",
  "bookmark",
  "calendar",
  "cards",
  "check",
  "chevron-down",
  "clock",
  "close",
  "code",
  "comment",
  "compact",
  "copy",
  "delete",
  "edit",
  "external",
  "feed",
  "file",
  "heading",
  "link",
  "list",
  "menu",
  "more",
  "pen",
  "picture",
  "quote",
  "reply",
  "search",
  "settings",
  "share",
  "table",
  "tag",
  "undo",
  "unread",
  "view",
] as const;

export type IconName = (typeof ICONS)[number];

/** A picture beside words, or with hidden ones: screen readers do not see it. It has the color of the text. */
export function Icon({ name }: { readonly name: IconName }): Markup {
  return (
    <svg class="icon" width={20} height={20} aria-hidden="true">
      <use href={withFragment(assetUrl("icons.svg"), name)} />
    </svg>
  );
}
