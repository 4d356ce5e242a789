import { replaceOpaque } from "../html/replace-between.ts";
import type { Mark } from "../reading/foreign-visibility.ts";
import { FOR_EVERYBODY, isLimitingName, limitsNobody } from "../reading/limiting-names.ts";

/** A text without the parts that nobody saw. */
export interface ShownText {
  readonly content: string;
  /** Blocks that WordPress itself never shows, by their names: they are left out. */
  readonly hidden: readonly string[];
  /** What shows a part of the text to some readers alone, or may do so: the post cannot be public. */
  readonly marks: readonly Mark[];
}

/** The same of a block's attributes. */
const LIMITING_ATTRIBUTE =
  /visib|^hid(?:e|den)(?:block)?$|ishidden|restrict|member|logged|user-?_?(?:role|stat)|log-?_?in-?_?(?:stat|required)|^roles?$|block-?_?controls$|schedul|(?:show|visible)-?_?(?:from|until)|hide-?_?after|start-?_?date-?_?time|expir|capabilit|paywall|premium|protect|password|private|condition|content-?_?control|audience|access(?!ib)/i;

/** What shortcodes are called besides: blocks and fields with such names are about something else. */
const LIMITING_SHORTCODE =
  /^(?:hide|(?:draft|if|pvt|registered)$)|hide$|locker|eyes-?_?only|capabilit|encrypt|show-?_?to|(?:^|[_-])roles?(?:[_-]|$)|(?:users?|registered)-?_?only|only-?_?for/i;

/** Names that say so only of a shortcode with an end, around a part: alone, it shows a form, a price or a timetable. */
const LIMITING_AROUND =
  /(?:^|[_-])timed?(?:[_-]|$)|schedul|expir|embargo|drip|only$|purchas|pay-?_?per|laterpay|^ppv|sell-?_?this|buy-?_?content|^am4show|student|viewer|customer|staff|^admins?$|^internal$|authenticated|signed-?_?in|^log-?_?in$|(?:if|is)-?_?user|user-?_?(?:can|has)|^can$|(?:show|display)-?_?if|geo-?_?(?:ip|t$|target|block)|if-?so/i;
/** Names of blocks around what is shown for some time alone. */
const TIMED_BLOCK = /schedul|timed|expir/;

/** The same of a shortcode's attributes: of `[et_pb_text disabled_on="on|on|off"]`, of `[ppwp passwords="…"]`. */
const LIMITING_SHORTCODE_ATTRIBUTE =
  /^(?:pass(?:words?)?|(?:user_?)?roles?|for_roles?|cap(?:abilit(?:y|ies))?|member(?:ship)?s?(?:_?levels?)?|logged(?:_?in)?|disabled(?:_on)?|disable_element|visib\w*)$/i;

/** A block's delimiter: WordPress has white space before the name and before the end. */
const DELIMITER = /^\s+(\/)?wp:([a-z][a-z0-9_-]*(?:\/[a-z][a-z0-9_-]*)?)(?=\s|\/$|$)([\s\S]*)$/;

/**
 * Leaves out blocks that are hidden, with all that is in them, in one pass, and finds those that only some readers see. A block
 * that never ends is hidden to the end.
 */
export function withoutHiddenBlocks(given: string): ShownText {
  const hidden: string[] = [];
  const marks: Mark[] = [];
  let content = "";
  let end = 0;
  let depth = 0;
  /** How deep the hidden block is in which the reader is; 0 outside of one. */
  let hiddenAt = 0;
  for (let start = given.indexOf("<!--"); start !== -1; start = given.indexOf("<!--", end)) {
    const close = given.indexOf("-->", start + 4);
    if (close === -1) break;
    if (hiddenAt === 0) content += given.slice(end, start);
    const after = close + 3;
    const [, closer, name = "", rest = ""] = DELIMITER.exec(given.slice(start + 4, after - 3)) ?? [];
    const isEmpty = rest.trimEnd().endsWith("/");
    let isShown = hiddenAt === 0;
    if (name !== "" && closer !== undefined) {
      if (hiddenAt === depth) hiddenAt = 0;
      depth = Math.max(0, depth - 1);
    } else if (name !== "") {
      depth++;
      if (hiddenAt === 0) {
        const attributes = attributesOf(rest);
        if (isHiddenBlock(attributes)) {
          hidden.push(name);
          hiddenAt = depth;
          isShown = false;
        } else marks.push(...limitsOf(name, attributes));
      }
      if (isEmpty) {
        if (hiddenAt === depth) hiddenAt = 0;
        depth--;
      }
    }
    if (isShown) content += given.slice(start, after);
    end = after;
  }
  if (hiddenAt === 0) content += given.slice(end);
  return { content, hidden, marks };
}

type Attributes = Readonly<Record<string, unknown>>;

function attributesOf(rest: string): Attributes {
  const json = rest.slice(rest.indexOf("{"), rest.lastIndexOf("}") + 1);
  if (!json.startsWith("{")) return {};
  try {
    return recordOf(JSON.parse(json));
  } catch {
    // WordPress shows it without its attributes, but they may say anything.
    return LIMITING_ATTRIBUTE.test(json) ? { visibility: "cannot be read" } : {};
  }
}

/** WordPress's own mark (6.9): a block with it is nowhere on the page. */
function isHiddenBlock({ metadata }: Attributes): boolean {
  return recordOf(metadata).blockVisibility === false;
}

function limitsOf(name: string, attributes: Attributes): Mark[] {
  if (isLimitingName(name) || TIMED_BLOCK.test(name)) return [{ name: "block", value: name, hides: true }];
  return attributesThatLimit(attributes, 0).map(([key, value]) => ({
    ...{ name: key, value, from: `the block ${name}`, hides: true },
  }));
}

/** How deeply attributes are looked at; none of a plugin is deeper. */
const DEPTH_MAX = 4;

function attributesThatLimit(attributes: Attributes, depth: number): [string, unknown][] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (LIMITING_ATTRIBUTE.test(key))
      return limitsNobody(value) || isShown(key, value) ? [] : [[key, value] satisfies [string, unknown]];
    const isNested = typeof value === "object" && value !== null && depth < DEPTH_MAX;
    return isNested ? attributesThatLimit(value as Attributes, depth + 1) : [];
  });
}

function isShown(key: string, value: unknown): boolean {
  return value === true && /visib/i.test(key) && !/invisib/i.test(key);
}

/** A shortcode, its name and what it says. */
const SHORTCODE = /(?<!\[)\[\/?([a-z][\w-]{0,99})(?=[\s\]=/])([^[\]]{0,2000})/gi;
const END = /\[\/([a-z][\w-]{0,99})(?=[\s\]])/gi;
const ATTRIBUTE =
  /(?<![\w-])([a-z][\w-]{0,60})\s{0,9}=\s{0,9}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"']{1,500}))/gi;

/** Unknown shortcodes of which name or attributes say that they limit who sees a part. */
export function limitingShortcodes(content: string): Mark[] {
  const plain = replaceOpaque(content, ["pre", "code", "script", "style"], () => "");
  const ends = new Set([...plain.matchAll(END)].map(([, name = ""]) => name.toLowerCase()));
  const isAround = (name: string) => ends.has(name) && LIMITING_AROUND.test(name);
  const found = new Map<string, string>();
  for (const [, given = "", rest = ""] of plain.matchAll(SHORTCODE)) {
    const name = given.toLowerCase();
    if (found.has(name)) continue;
    if (isLimitingName(name) || LIMITING_SHORTCODE.test(name) || isAround(name)) found.set(name, name);
    else {
      const attribute = attributeThatLimits(rest);
      if (attribute !== undefined) found.set(name, `${name} ${attribute}`);
    }
  }
  return [...found.values()].map((value) => ({ name: "shortcode", value, hides: true }));
}

function attributeThatLimits(rest: string): string | undefined {
  for (const [, name = "", double, single, bare] of rest.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? "";
    const isDraft = /^status$/i.test(name) && /^(?:draft|private|hidden)$/i.test(value.trim());
    if (isDraft) return `${name}="${value}"`;
    if (!LIMITING_SHORTCODE_ATTRIBUTE.test(name)) continue;
    const isOn = /^visib/i.test(name) && /^(?:1|true|yes|on)$/i.test(value.trim());
    // Divi has one for each size of the screen.
    if (isOn || value.split("|").every((part) => FOR_EVERYBODY.test(part.trim()))) continue;
    return /^pass/i.test(name) ? `${name}=…` : `${name}="${value}"`;
  }
  return undefined;
}

/** WordPress's own fields, and those of plugins about something else. */
const OTHER_FIELDS = /^_(?:edit|wp_|oembed|thumbnail|menu|yoast|aioseo|elementor|encloseme|pingme)/i;

/** Fields that hide a post from lists, or are about roles. */
const HIDING_FIELD =
  /(?:^|[_-])(?:hide|exclude)[_-]?(?:(?:from|in|on)[_-]?)?(?:the[_-])?(?:post|home|front|list|blog|index|feed|archive)|^_?wplp_|(?:for|by|read)[_-]roles?$/i;
/** Values by which a field says so, whatever its name. */
const HIDING_VALUE = /^(?:logged[_-]?in|members?|subscribers?|private|hidden|unlisted)$/i;

/** Fields of a post or a term by which plugins limit who sees it, such as Jetpack's newsletter. A name may be there often. */
export function limitingFields(fields: readonly (readonly [name: string, value: string])[]): Mark[] {
  return fields.flatMap(([name, value]) => {
    const isOther = OTHER_FIELDS.test(name);
    const isLimiting =
      name === "_jetpack_newsletter_access" ||
      isLimitingName(name) ||
      HIDING_FIELD.test(name) ||
      HIDING_VALUE.test(value.trim());
    if (isOther || !isLimiting || FOR_EVERYBODY.test(value.trim())) return [];
    return { name, value: /password/i.test(name) ? "…" : value.slice(0, 500), hides: true };
  });
}

/** Whether items of a type are rules of a plugin for other posts, such as `memberpressrule` and `cc_restriction`. */
export function isRuleType(type: string): boolean {
  return isLimitingName(type) && /rule|restriction/i.test(type);
}

function recordOf(value: unknown): Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}
