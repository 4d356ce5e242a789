import { dateOf, isTooEarly, type SiteZone } from "../../decoding/foreign-dates.ts";
import { lineOf } from "./foreign-values.ts";
import { isLimitingMember, limitsReaders } from "./limiting-names.ts";

/**
 * Who saw a record in the program that it comes from. **Public is only what was public there for sure**: what is marked as
 * hidden, has a date in the future, or says so in a word that nobody here understands, is a draft. All readers of blogs ask
 * this module, each with the words of its program.
 */
export type ForeignVisibility =
  | { readonly is: "public" }
  | { readonly is: "scheduled"; readonly at: Date }
  /** Why, as a clause that quotes the mark; empty for what the program itself calls a draft. */
  | { readonly is: "draft"; readonly why: string; readonly isInherited?: boolean }
  /** What the program itself has thrown away: why, as a clause. */
  | { readonly is: "left out"; readonly why: string };

/** A member by which a record may say who sees it, as its program wrote it. Others are ignored. */
export interface Mark {
  readonly name: string;
  readonly value: unknown;
  /** Where it is, if it is not in the record itself. */
  readonly from?: string;
  /** Whether it hides the record, whatever its value. */
  readonly hides?: boolean;
}

export type Meaning = "public" | "draft" | "scheduled" | "left out";

/** The words of a program by the members that have them, both in small letters: what is not among them is not understood. */
export type Words = Readonly<Record<string, Readonly<Record<string, Meaning>>>>;

export interface VisibilityOptions {
  readonly marks: readonly Mark[];
  readonly words: Words;
  /** The dates of publication, in the order in which they count. */
  readonly dates?: readonly Mark[];
  /** Whether the program shows a record once its date has come. Otherwise, one with a later date is a draft. */
  readonly schedules?: boolean;
  readonly now: Date;
  /** That of dates without one. */
  readonly zone?: SiteZone | undefined;
}

type Clock = Pick<VisibilityOptions, "now" | "zone">;

/** Members that hide a record unless they say no. */
const HIDING = new Set([
  "draft",
  "hidden",
  "private",
  ...["unlisted", "unlist", "hide", "unpublished", "trash", "trashed", "trashedat", "deleted", "deletedat"],
  ...["wip", "disabled", "inactive", "offline", "removed", "withdrawn", "suppressed"],
  // Drafts in other languages.
  ...[
    "entwurf",
    "brouillon",
    "borrador",
    "rascunho",
    "bozza",
    "utkast",
    "kladde",
    "черновик",
    "草稿",
    "下書き",
  ],
  ...["ignore", "ignored", "exclude", "excluded", "headless", "eleventyexcludefromcollections"],
]);
/** Lists of posts that all visitors see. */
const LISTS = "(?:home|list|blog|index|feed|rss|posts|archives?|collections|public)\\w*";
/**
 * The same by more words: `no_publish`, `hideInList`, `hiddenFromHomePage`, `draftMode`, `emailOnly`; what is about menus and
 * the like is not meant.
 */
const HIDING_NAME = new RegExp(
  `^(?:${[
    "(?:no|not|dont|donot)(?:publish|list|render|show)(?:ed)?",
    `(?:hide|hidden|exclude|excluded|unlisted)(?:from|in|on)(?:the)?(?:${LISTS}|everyone|everybody|visitors|guests)`,
    "(?:in|as|still)draft",
    "draft(?:mode|status|state)",
    "(?:draft|hidden|hide|unlisted|private)(?:post|page|article|entry)",
    "(?:send)?(?:e?mail|newsletter|rss|feed|print|app)only",
  ].join("|")})$`,
);
/** Members that hide a record if they say no, by more words: `showInList`. */
const SHOWING_NAME = new RegExp(
  `^(?:show|shown|display|displayed|list|listed|visible|include|included)(?:in|on)(?:the)?${LISTS}$`,
);
/** Members that hide a record unless they say yes, or have a date. */
const SHOWING = new Set(["published", "publish", "public", "visible", "listed", "routable"]);
/** Members that hide a record if they say no; whatever else they say is about something else. */
const SHOWING_UNLESS_FALSE = new Set([
  "permalink",
  "render",
  "show",
  "display",
  "enabled",
  "active",
  "live",
  "ready",
  "accessibleforfree",
  ...["free", "approved", "publishable", "available", "released", "online"],
  ...["list", "output", "rendered", "generate", "generated", "include", "included"],
]);
/** Those of a date before which it is hidden, while another one is that of its publication. */
const HOLDING =
  /^(?:schedule(?:d(?:for|at|on)?|date)?|golive(?:date|on|at)?|embargo(?:until|date)?|publish(?:after|up|start(?:date)?)|startpublish(?:ing)?|notbefore|(?:visible|available|public|live|valid|show)(?:from|after))$/;
/** The same, but they may also say something else than a date: `release: 2.0`, `posted: yes`. */
const RELEASING = /^(?:release[ds]?|launch(?:e[ds])?|available|posted)(?:date|time|on|at)?$/;
/** Those of a date after which the record is hidden. */
const ENDING =
  /^(?:expir(?:y|es?|ed|ation)(?:date|time|on|at)?|unpublish(?:ed)?(?:date|time|on|at|after)|(?:hide|remove|delete|trash|archive)d?(?:date|on|at|after)|publish(?:ed)?(?:down|end(?:date)?)|(?:end|stop)publish(?:ing)?|(?:visible|available|published|public|live|valid|show|display)(?:until|till)|validto)$/;
const PASSWORDS = new Set([
  ...["password", "passwd", "passcode", "passphrase", "pass", "pwd", "pw"],
  ...["passwort", "motdepasse", "contraseña", "senha", "пароль", "密码"],
]);
/** Those that make it what the program itself calls a draft, if they are clear. */
const OF_DRAFTS = new Set(["draft", "published"]);

/** Members that say of the publication what a status does. */
const PUBLICATION_STATES = ["publish", "published", "publishing", "publication"].flatMap((name) => [
  `${name}status`,
  `${name}state`,
]);

/** Words that hide a record whichever member has them, also in a list such as that of its tags. */
const HIDING_WORD =
  /^(?:(?:in[- ])?drafts?|unpublished|private|entwurf|brouillon|borrador|rascunho|bozza|utkast|черновик|草稿|下書き)$/i;
/** Members with lists of tags by their kinds, as Zola and Grav have them. */
const TAXONOMIES = /^taxonom(?:y|ies)$/;
/** Members with a list of tags. */
const OF_TAGS = /(?:tags?|keywords?|categor(?:y|ies)|labels?|topics?|taxonom(?:y|ies))$/;
/** Members with words of the author's own. */
const OF_AUTHOR =
  /title|^(?:name|subject|heading|headline|subtitle|description|summary|excerpt|slug|alias(?:es)?|authors?|content|text)$/;

/** The words of members that mean the same everywhere, for a program that does not usually have them. */
const COMMON_WORDS: ReadonlyMap<string, Words[string]> = new Map(
  ["status", "state", "visibility", ...PUBLICATION_STATES].map((key) => [
    key,
    { published: "public", publish: "public", public: "public", live: "public", draft: "draft" } as const,
  ]),
);

/** What a record says of who sees it: the strictest of all its marks and dates. */
export function visibilityOf({
  marks,
  words,
  dates = [],
  schedules = false,
  ...clock
}: VisibilityOptions): ForeignVisibility {
  const found = [
    ...marks.map((mark) => meaningOf(mark, words, clock)),
    ...dates.map((mark) => ofDate(mark, clock)),
  ].filter((each) => each !== undefined);
  const [leftOut] = found.flatMap((each) => (each.is === "left out" ? [each] : []));
  if (leftOut !== undefined) return leftOut;
  const drafts = found.flatMap((each) => (each.is === "draft" ? [each] : []));
  const draft = drafts.find(({ why }) => why !== "") ?? drafts[0];
  if (draft !== undefined) return draft;
  const [waiting] = found.flatMap((each) => (each.is === "waiting" ? [each] : []));
  const times = found.flatMap((each) => (each.is === "scheduled" ? [each.at.getTime()] : []));
  if (times.length === 0)
    return waiting === undefined
      ? { is: "public" }
      : { is: "draft", why: `was scheduled, but has no date in the future (${waiting.why})` };
  const at = new Date(Math.max(...times));
  return schedules || waiting !== undefined
    ? { is: "scheduled", at }
    : { is: "draft", why: "has a date in the future" };
}

type Meant = Exclude<ForeignVisibility, { is: "public" }> | { readonly is: "waiting"; readonly why: string };

/** @returns undefined if the mark says nothing against the record */
function meaningOf(mark: Mark, words: Words, clock: Clock): Meant | undefined {
  const { name, value, hides } = mark;
  const key = memberKey(name);
  const isEmpty = value === undefined || value === null || (typeof value === "string" && value.trim() === "");
  if (hides) return hiddenBy(mark);
  const known = Object.hasOwn(words, key) ? words[key] : COMMON_WORDS.get(key);
  if (known !== undefined) return isEmpty ? undefined : ofWord(mark, known);
  // What makes many posts drafts at once is not seen in them.
  const isPlain = OF_DRAFTS.has(key) && mark.from === undefined;
  const plain = isPlain ? ({ is: "draft", why: "" } as const) : undefined;
  if (HIDING.has(key) || HIDING_NAME.test(key)) {
    const flag = isEmpty ? false : flagOf(value);
    return flag === false ? undefined : ((flag && plain) ?? hiddenBy(mark));
  }
  if (SHOWING.has(key)) {
    if (value === undefined) return undefined;
    const flag = flagOf(value);
    if (flag !== undefined) return flag ? undefined : (plain ?? hiddenBy(mark));
    return dateOf(value) === undefined ? hiddenBy(mark) : ofDate(mark, clock);
  }
  // A condition of a template may say so.
  if (key === "permalink" && isConditional(String(value))) return hiddenBy(mark);
  const isReleasing = RELEASING.test(key);
  if (SHOWING_UNLESS_FALSE.has(key) || SHOWING_NAME.test(key) || isReleasing) {
    if (flagOf(value) === false || /^(?:none|never)$/i.test(String(value).trim())) return hiddenBy(mark);
    return isReleasing && dateOf(value) !== undefined ? ofDate(mark, clock) : undefined;
  }
  // One of blanks is one, too; a line break alone is how a file is laid out.
  const isNoPassword = isEmpty && !(typeof value === "string" && /^[ \t]+$/.test(value));
  if (PASSWORDS.has(key))
    return isNoPassword || value === false ? undefined : { is: "draft", why: "had a password" };
  if (HOLDING.test(key)) return flagOf(value) === false ? undefined : ofDate(mark, clock);
  if (ENDING.test(key)) return isEmpty ? undefined : ofEnd(mark, clock);
  // Hugo's, which was written with an underscore before.
  if (key === "build") return ofBuild(mark);
  return limitsReaders(key, value) || hasHidingWord(key, value) ? hiddenBy(mark) : undefined;
}

/** Whether a template has the word apart from the steps of a path. */
function isConditional(permalink: string): boolean {
  return /\{[{%]/.test(permalink) && /(?<![/\w-])false(?![/\w-])/.test(permalink);
}

function hasHidingWord(key: string, value: unknown): boolean {
  if (OF_AUTHOR.test(key)) return false;
  const values =
    TAXONOMIES.test(key) && typeof value === "object" ? Object.values(value ?? {}).flat() : value;
  const listed: readonly unknown[] = Array.isArray(values) ? values : [values];
  // Tags may be one text, of which programs make a list.
  const words = OF_TAGS.test(key)
    ? listed.flatMap((each) =>
        typeof each === "string" ? each.replaceAll(/["'#[\]]/g, "").split(/[,;|]/) : [],
      )
    : listed;
  return words.some((each) => typeof each === "string" && HIDING_WORD.test(each.trim()));
}

function hiddenBy(mark: Mark): Meant {
  const isInherited = mark.from !== undefined;
  return {
    is: "draft",
    why: `was not shown to everybody (${quoted(mark)})`,
    ...(isInherited && { isInherited }),
  };
}

function ofWord(mark: Mark, known: Readonly<Record<string, Meaning>>): Meant | undefined {
  const { value } = mark;
  const word = ["string", "number", "boolean"].includes(typeof value)
    ? String(value).trim().toLowerCase()
    : "";
  const meaning = Object.hasOwn(known, word) ? known[word] : undefined;
  if (meaning === "public") return undefined;
  if (meaning === "draft" && mark.from === undefined) return { is: "draft", why: "" };
  if (meaning === "left out") return { is: "left out", why: quoted(mark) };
  return meaning === "scheduled" ? { is: "waiting", why: quoted(mark) } : hiddenBy(mark);
}

/** What a date of publication says; one that cannot be read might be in the future, and one that is null has not come. */
function ofDate(mark: Mark, { now, zone }: Clock): Meant | undefined {
  const { name, value } = mark;
  if (value === null && /published/.test(memberKey(name))) return hiddenBy(mark);
  if (isAbsent(value)) return undefined;
  const date = dateOf(value, zone);
  if (date !== undefined) return date > now ? { is: "scheduled", at: date } : undefined;
  return {
    is: "draft",
    why: isTooEarly(value)
      ? `has a date before 1970, which cannot be stored (${quoted(mark)})`
      : `has a date that is not understood (${quoted(mark)})`,
  };
}

function ofEnd(mark: Mark, { now, zone }: Clock): Meant | undefined {
  const end = dateOf(mark.value, zone);
  return end !== undefined && end > now ? undefined : hiddenBy(mark);
}

/** Hugo's options of a page: it is shown only if it is rendered and listed. */
function ofBuild(mark: Mark): Meant | undefined {
  const { value } = mark;
  if (isAbsent(value)) return undefined;
  if (typeof value !== "object") return hiddenBy(mark);
  const options = Object.entries(value as object).filter(([name]) => /^(?:render|list)$/i.test(name));
  const isShown = ([, option]: [string, unknown]) =>
    flagOf(option) === true || (typeof option === "string" && /^always$/i.test(option.trim()));
  return options.every(isShown) ? undefined : hiddenBy(mark);
}

/** The first date that can be read. */
export function firstDate(dates: readonly Mark[], zone?: SiteZone): Date | undefined {
  for (const { value } of dates) {
    const date = dateOf(value, zone);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** Whether a record has no date at all, not even one that cannot be read. */
export function isUndated(dates: readonly Mark[]): boolean {
  return dates.every(({ value }) => isAbsent(value));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

/** Yes and no as YAML 1.1 has them, and as programs read texts and numbers; undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  if (/^(?:true|yes|on|y|t|1)$/i.test(text)) return true;
  return /^(?:false|no|off|n|f|0)$/i.test(text) ? false : undefined;
}

/** Members with the date of a publication, in the order in which they count. */
export const PUBLICATION_DATES = [
  ...["date", "pubDate", "pubDatetime", "publishDate", "published_at", "publishedDate", "datePublished"],
  ...["published_on", "publish_on", "publish_at", "publishes_at", "publishedTime", "publishTime"],
  ...["publicationDate", "publishingDate", "firstPublished", "firstPublishedAt", "postedAt"],
  ...["postedOn", "datetime", "created", "createdAt", "dateCreated"],
];
const DATE_KEYS = new Map(PUBLICATION_DATES.map((name, place) => [plainKey(name), place]));

/** Words of status, and dates of publication, by whatever program. */
const OTHERS = new Set([
  ...["status", "state", "visibility", "audience", "build", "emailtype"],
  ...PUBLICATION_STATES,
]);

/** What programs put before such names: `is_draft`, `post_status`, `wp_post_password`, `dg-publish`, `page_visible`. */
const PREFIX = /^(?:wp|dg)?(?:is)?(?:post|page|article|entry|content|document|doc|blog|note|item)?(?:is)?/;

/** A member's name without the differences of spelling: `is_draft`, `Is-Draft` and `isDraft` are `draft`. */
export function memberKey(name: string): string {
  const key = plainKey(name);
  const rest = key.replace(PREFIX, "");
  return !isKey(key) && isKey(rest) ? rest : key;
}

function plainKey(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]|\p{Cf}/gu, "");
}

function isKey(key: string): boolean {
  return (
    DATE_KEYS.has(key) ||
    [HIDING, SHOWING, SHOWING_UNLESS_FALSE, PASSWORDS, OTHERS].some((names) => names.has(key)) ||
    [HIDING_NAME, SHOWING_NAME, HOLDING, RELEASING, ENDING].some((names) => names.test(key)) ||
    isLimitingMember(key)
  );
}

/** Whether a member says who sees a record; most others only say how it looks. */
export function isMarkName(name: string): boolean {
  return isKey(memberKey(name));
}

/** The place of a member among those with a date of publication; -1 for another one. */
export function placeOfDate(name: string): number {
  return DATE_KEYS.get(memberKey(name)) ?? -1;
}

const QUOTED_MAX = 100;

/** A mark as its program has written it. */
function quoted({ name, value, from }: Mark): string {
  const text = typeof value === "string" ? value : value instanceof Date ? isoOf(value) : jsonOf(value);
  const where = from === undefined ? "" : ` in ${lineOf(from, 200)}`;
  return `“${lineOf(text === undefined ? name : `${name}: ${text}`, QUOTED_MAX)}”${where}`;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // It is nested too deeply.
    return "…";
  }
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? "no date" : date.toISOString();
}
