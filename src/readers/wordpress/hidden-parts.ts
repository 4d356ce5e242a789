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
  /visib|^hid(?:e|den)(?:block)?$|ishidden|restrict|member|logged|user-?_?(?:role|stat)|log-?_?in-?_?(?:stat|required)|^roles?$|capabilit|paywall|premium|protect|password|private|condition|content-?_?control|audience|access(?!ib)/i;

/** What shortcodes are called besides: blocks and fields with such names are about something else. */
const LIMITING_SHORTCODE =
  /^(?:hide|(?:draft|if|pvt|registered)$)|hide$|locker|eyes-?_?only|capabilit|encrypt|show-?_?to|(?:^|[_-])roles?(?:[_-]|$)|(?:users?|registered)-?_?only|only-?_?for/i;

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
  if (isLimitingName(name)) return [{ name: "block", value: name, hides: true }];
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
const ATTRIBUTE =
  /(?<![\w-])([a-z][\w-]{0,60})\s{0,9}=\s{0,9}(?:"([^"]{0,500})"|'([^']{0,500})'|([^\s"']{1,500}))/gi;

/** Unknown shortcodes of which name or attributes say that they limit who sees a part. */
export function limitingShortcodes(content: string): Mark[] {
  const plain = replaceOpaque(content, ["pre", "code", "script", "style"], () => "");
  const found = new Map<string, string>();
  for (const [, given = "", rest = ""] of plain.matchAll(SHORTCODE)) {
    const name = given.toLowerCase();
    if (found.has(name)) continue;
    if (isLimitingName(name) || LIMITING_SHORTCODE.test(name)) found.set(name, name);
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

/** Fields of a post or a term by which plugins limit who sees it, such as Jetpack's newsletter. A name may be there often. */
export function limitingFields(fields: readonly (readonly [name: string, value: string])[]): Mark[] {
  return fields.flatMap(([name, value]) =>
    name === "_jetpack_newsletter_access" || (isLimitingName(name) && !OTHER_FIELDS.test(name))
      ? FOR_EVERYBODY.test(value.trim())
        ? []
        : [{ name, value: /password/i.test(name) ? "…" : value.slice(0, 500), hides: true }]
      : [],
  );
}

/** Whether items of a type are rules of a plugin for other posts, such as `memberpressrule` and `cc_restriction`. */
export function isRuleType(type: string): boolean {
  return isLimitingName(type) && /rule|restriction/i.test(type);
}

function recordOf(value: unknown): Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}
