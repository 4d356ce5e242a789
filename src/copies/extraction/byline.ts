import type { PageDocument, PageElement } from "@mozilla/readability/JSDOMParser.js";
import { asTitle } from "../../bookmarks/capture/page-texts.ts";
import { isOfComments } from "./main-text.ts";

/** Names by which Readability knows the elements with an author. */
const NAMES = /byline|author|dateline|writtenby/gi;
/** Where people write, or choose. */
const FIELDS = ["input", "textarea", "select", "label"];
/** The characters of a line about an author. */
const LINE_MAX = 200;

/** A day in any language, such as `May 4th, 2026` and `4. Mai 2026`, or in numbers; a time of day. */
const DATES =
  /(?<![\p{L}\p{N}])\p{L}{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? (?:\d{4}|at)(?!\d)|\d{1,2}(?:st|nd|rd|th|\.)? (?:de )?\p{L}{3,12}\.?,? (?:de )?\d{4}(?!\d)|\d{4}年 ?\d{1,2}月(?: ?\d{1,2}日)?|\d{1,4}([./-])\d{1,2}\1\d{2,4}|\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?(?!\p{L}))?(?: (?:Uhr|[A-Z]{2,4})(?!\p{L}))?/gu;
/** What parts a name from the rest of its line. */
const PARTS = /\s[-–—/]\s|[|·•»]/u;
const ADDRESSES = /\s[^\s@]{1,80}@[^\s@.]{1,80}\.\S{1,80}|(?<=[\p{L}\s])@\w{1,40}(?![\w.])/gu;
/** What says that a name follows. */
const BY =
  /^(?:(?:article|artikel|beitrag|posted|published|recipe|text|words|written|erstellt|geschrieben|veröffentlicht|publié|publicado|escrito) )?(?:(?:by|von|par|por|door)(?: ?: ?| )|(?:author|autor|autorin|auteur|autore) ?: ?)(?=\S)/iu;
/** What is left of a line without a name. */
const NO_NAME =
  /^(?:(?:article|artikel|posted|published|updated|written|publiziert|veröffentlicht|erstellt|geschrieben|publié|publicado|last|by|von|par|por|author|autor|on|at|am|um|le|el)[ :]{0,3}){1,3}$|^(?:share|follow|publisher|comments?|leave a comment|reply)$/iu;
/** What leads to a date. */
const BEFORE_DATE = /(?: updated| posted| published)?(?: on| at| am| um| le| el)?$/iu;

/** The lines about the author of a page. */
export class Bylines {
  /** The names of the days of a week. */
  readonly #days: ReadonlySet<string>;

  /** @param language of the page, BCP 47; days may have their English names besides */
  constructor(language: string | null) {
    const names = ["en", language ?? "en"].flatMap((locale) =>
      (["long", "short"] as const).flatMap((weekday) => {
        const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" });
        return Array.from({ length: 7 }, (_, day) => format.format(day * 86_400_000).toLowerCase());
      }),
    );
    this.#days = new Set(names);
  }

  /** The name in such a line, without its date and what says that it is one; null if there is none. */
  nameIn(given: string | null | undefined): string | null {
    const line = asTitle(given ?? "");
    const text = line.replace(DATES, " | ").replace(ADDRESSES, "");
    const parts = text
      .split(PARTS)
      .map((part) => trimmed(part.trim().replace(BEFORE_DATE, "")))
      .filter((part) => /\p{L}/u.test(part) && !NO_NAME.test(part) && !this.#days.has(part.toLowerCase()));
    const named = parts.find((part) => BY.test(part));
    // Without a date, all of it may be the name.
    const name = named ?? (line.search(DATES) >= 0 || parts.length < 2 ? parts[0] : trimmed(text));
    return name?.replace(BY, "") || null;
  }

  /** Takes the names of an author from elements without one, so that Readability does not take the first of them for it. */
  hideFalse(document: PageDocument): void {
    const look = (element: PageElement, isWithin: boolean) => {
      for (const child of element.children) {
        const isNone = isWithin || child.localName === "form" || isOfComments(child);
        if (`${child.className} ${child.id}`.search(NAMES) >= 0 && (isNone || !this.#hasName(child)))
          for (const attribute of ["class", "id"])
            if (child.hasAttribute(attribute))
              child.setAttribute(attribute, (child.getAttribute(attribute) ?? "").replace(NAMES, ""));
        look(child, isNone);
      }
    };
    look(document.body, false);
  }

  #hasName(element: PageElement): boolean {
    if (FIELDS.some((name) => element.getElementsByTagName(name).length > 0)) return false;
    const text = element.textContent.trim();
    return text.length > LINE_MAX || this.nameIn(text) !== null;
  }
}

function trimmed(text: string): string {
  return text.replace(/^[\s,;:*|/·•–—-]{1,9}/u, "").replace(/[\s,;:*|/·•–—-]{1,9}$/u, "");
}
