import { replaceOpaque } from "../html/replace-between.ts";
import type { Mark } from "../reading/foreign-visibility.ts";

/** A text without the parts that nobody saw. */
export interface ShownText {
  readonly content: string;
  /** Blocks that WordPress itself never shows, by their names: they are left out. */
  readonly hidden: readonly string[];
  /** What shows a part of the text to some readers alone, or may do so: the post cannot be public. */
  readonly marks: readonly Mark[];
}

/** Names of blocks, shortcodes and fields by which plugins show something to some people alone. */
const LIMITING =
  /paywall|premium|unlisted|member|restrict|protect|subscriber|logged|private|gated|exclusive|patron|patreon|paid|passster|s2if|s2member|pmpro|mepr|(?:^|[_-])(?:rcp|ihc|wlm|wpmem|swpm|um)(?:[_-]|$)|user-?_?role|access(?!ib)|hidden|hide-|content-?_?control|conditional|visib|(?:^|[_-])(?:password|vip|secret|lock(?:ed)?)(?:[_-]|$)/i;

/** The same of a block's attributes. */
const LIMITING_ATTRIBUTE =
  /visib|^hid(?:e|den)(?:block)?$|ishidden|restrict|member|logged|user-?_?role|^roles?$|paywall|premium|protect|password|private|condition|audience|access(?!ib)/i;

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
  if (LIMITING.test(name)) return [{ name: "block", value: name, hides: true }];
  return attributesThatLimit(attributes, 0).map(([key, value]) => ({
    ...{ name: key, value, from: `the block ${name}`, hides: true },
  }));
}

/** How deeply attributes are looked at; none of a plugin is deeper. */
const DEPTH_MAX = 4;

function attributesThatLimit(attributes: Attributes, depth: number): [string, unknown][] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (LIMITING_ATTRIBUTE.test(key))
      return isOff(value) || isShown(key, value) ? [] : [[key, value] satisfies [string, unknown]];
    const isNested = typeof value === "object" && value !== null && depth < DEPTH_MAX;
    return isNested ? attributesThatLimit(value as Attributes, depth + 1) : [];
  });
}

/** Whether a value says that nothing is limited. */
function isOff(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).every(isEmptyValue);
  return isEmptyValue(value) || OFF.test(String(value).trim());
}

function isShown(key: string, value: unknown): boolean {
  return value === true && /visib/i.test(key) && !/invisib/i.test(key);
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === "" || value === 0;
}

/** Words of plugins for what everybody sees. */
const OFF =
  /^(?:0|no|off|false|none|default|inherit|everybody|everyone|all|public|open|visible|anyone|a:0:\{\}|\[\]|\{\})?$/i;

/** Unknown shortcodes of which the name says that they limit who sees a part. */
export function limitingShortcodes(content: string): Mark[] {
  const plain = replaceOpaque(content, ["pre", "code", "script", "style"], () => "");
  const names = [...plain.matchAll(/(?<!\[)\[\/?([a-z][\w-]{0,99})(?=[\s\]=/])/gi)].map(([, name = ""]) =>
    name.toLowerCase(),
  );
  const found = new Set(names.filter((name) => LIMITING.test(name)));
  return [...found].map((name) => ({ name: "shortcode", value: name, hides: true }));
}

/** WordPress's own fields, and those of plugins about something else. */
const OTHER_FIELDS = /^_(?:edit|wp_|oembed|thumbnail|menu|yoast|aioseo|elementor|encloseme|pingme)/i;

/** Fields of a post by which plugins limit who sees it, such as Jetpack's newsletter. */
export function limitingFields(meta: Readonly<Record<string, string>>): Mark[] {
  return Object.entries(meta).flatMap(([name, value]) =>
    name === "_jetpack_newsletter_access" || (LIMITING.test(name) && !OTHER_FIELDS.test(name))
      ? OFF.test(value.trim())
        ? []
        : [{ name, value: /password/i.test(name) ? "…" : value, hides: true }]
      : [],
  );
}

function recordOf(value: unknown): Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Attributes) : {};
}
