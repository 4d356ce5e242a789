import { htmlParts } from "../html/html-parts.ts";

/** The beginning and the end of a part of HTML that Ghost shows to some visitors alone. */
const GATE = /<!--\s{0,99}kg-gated-block:(begin|end)([^<>]{0,999})-->/gi;

/** HTML or Markdown as a visitor sees it who is no member. */
export interface OpenHtml {
  readonly html: string;
  /** What was left out, as Ghost has it. */
  readonly gates: readonly string[];
}

/**
 * Leaves out what Ghost shows to members alone, and what it shows in emails alone. A part that never ends is left out to the
 * end, and so is a part of which it is not clear who sees it.
 */
export function withoutGatedParts(given: string): OpenHtml {
  const gates: string[] = [];
  const open: boolean[] = [];
  let closed = 0;
  let html = "";
  let end = 0;
  for (const { 0: whole, 1: kind = "", 2: options = "", index } of given.matchAll(GATE)) {
    if (closed === 0) html += given.slice(end, index);
    end = index + whole.length;
    if (kind.toLowerCase() === "end") {
      if (open.pop() === false) closed--;
      continue;
    }
    const isOpen = /(?:^|\s)nonMember\s{0,9}:\s{0,9}true(?=\s|$)/i.test(options);
    open.push(isOpen);
    if (isOpen) continue;
    gates.push(options.trim() || "no options");
    closed++;
  }
  if (closed === 0) html += given.slice(end);
  // The rare rest of such a mark that is written otherwise.
  const broken = /<!--\s{0,99}kg-gated-block/i.exec(html);
  if (broken !== null) {
    gates.push("not understood");
    html = html.slice(0, broken.index);
  }
  if (!/data-gh-segment/i.test(html)) return { html, gates };
  const { html: rest } = htmlParts(
    html,
    () => undefined,
    (element) => {
      const segment = element.attribute("data-gh-segment");
      if (segment !== null) gates.push(`data-gh-segment: ${segment}`);
      return segment !== null;
    },
  );
  return { html: rest, gates };
}

type Values = Readonly<Record<string, unknown>>;

/** Members of a card's visibility that are about emails alone. */
const OF_EMAILS = new Set(["email", "showOnEmail", "segment"]);

/**
 * Whether a visitor who is no member sees a card with this visibility: Ghost's present form has `web.nonMember`, its earlier
 * ones `emailOnly` and `showOnWeb`. Without any of them, everybody sees it.
 */
export function isOpenCard(visibility: unknown): boolean {
  if (visibility === undefined || visibility === null) return true;
  if (typeof visibility !== "object" || Array.isArray(visibility)) return false;
  const { web, emailOnly, showOnWeb, ...others } = visibility as Values;
  if (Object.keys(others).some((name) => !OF_EMAILS.has(name))) return false;
  const ofWeb = typeof web === "object" && web !== null ? (web as Values) : {};
  if (web != null && Object.keys(ofWeb).length > 0) return ofWeb.nonMember === true;
  if (emailOnly != null) return emailOnly === false;
  return showOnWeb == null || showOnWeb === true;
}
