/** Names of blocks, shortcodes, components and fields by which programs show something to some people alone. */
const LIMITING =
  /paywall|premium|unlist|member|restrict|protect|subscriber|logged|private|gated|exclusive|patron|patreon|paid|passster|s2if|s2member|pmpro|mepr|(?:^|[_-])(?:rcp|ihc|wlm|wpmem|swpm|um|pms|ppwp?|whp)(?:[_-]|$)|user-?_?role|access(?!ib)|hidden|hide-|content-?_?control|conditional|visib|requires?-?_?login|login-?_?(?:required|only)|(?:^|[_-])groups-?_?(?:read|groups|can)|(?:^|[_-])(?:password|vip|secret|lock(?:ed)?|gates?)(?:[_-]|$)/i;

/** Whether a name says that something is shown to some people alone. */
export function isLimitingName(name: string): boolean {
  return LIMITING.test(name);
}

/** An element, and its classes, if it has any: also without quotation marks, or as JSX has them. */
const ELEMENT =
  /<([a-z][\w.-]{0,100})(?:[^<>]{0,1000}?\sclass(?:name)?\s{0,9}=[\s{"'`]{0,9}([^"'`<>{}]{0,500}))?/gi;
/** Classes that say so for sure: many others have such a word, such as `team-member`. */
const LIMITING_CLASS =
  /(?:^|[\s.])(?:(?:for-?)?(?:members?|subscribers?|patrons?|premium|paid|logged-?in)-?only|paywall(?:ed)?|gated-?content|(?:members?|premium|private)-content)(?=\s|$)/i;

/** The elements and classes in a text by which a part of it is shown to some people alone. */
export function limitingElements(text: string): string[] {
  return [...text.matchAll(ELEMENT)].flatMap(([, name = "", classes = ""]) => {
    if (isLimitingName(name)) return [`<${name}>`];
    const found = LIMITING_CLASS.exec(classes)?.[0].trim();
    return found === undefined ? [] : [`class ${found}`];
  });
}

const READERS =
  "(?:members?|membership|subscribers?|subscriptions?|patrons?|supporters?|customers?|payers?|registered|users?|friends|family|paid|premium|login|auth|staff|employees?|logged[-_ ]?in|signed[-_ ]?in|sponsors?|donors?|students?|clients?|vips?|internal)";

/**
 * Members of front matter, elements of feeds and columns of tables by which a whole post is shown to some people alone, as one
 * word in small letters. Names that only contain such a word, such as `team_members` or `accessed`, are about something else.
 */
const LIMITING_MEMBER = new RegExp(
  `^(?:${READERS}(?:only|required|access|levels?|tiers?|content|posts?)|(?:only|for|requires?|needs)${READERS}(?:only)?)$`,
);
const OTHER_LIMITING_MEMBER =
  /^(?:(?:visible|show|shown|limit|limited)(?:only)?(?:to|for)|onlyfor|sharedwith|acl|can(?:view|read|access)|(?:view|read)ableby|(?:has|needs?|requires?)password|requiresauthentication|encryptedcontent|secured?|gate|lock|nda|premium|paid|paywall(?:ed)?|gated|exclusive|secret|confidential|internal|membership|tiers?|locked|embargoed|encrypt(?:ed|ion)?|password(?:protect(?:ed|ion)?|required|needed|hint|hash)|(?:content)?(?:restrict(?:ed|ions?)?(?:to|access)?|protect(?:ed|ion)?)|private(?:post|page|content)|access(?:level|control|type|groups?|roles?|rights?|policy|mode)?|(?:allowed|required)(?:roles?|groups?|users?|tiers?|members?))$/;

/** Members whose value may be the name of some readers. */
const AUDIENCE = /^(?:audience|for|only|groups?|scope|privacy|security|sharing)$/;
/** Readers as members that say whether the record is for them alone. */
const READERS_ALONE =
  /^(?:members?|subscribers?|patrons?|supporters?|customers?|sponsors?|login|auth(?:enticat(?:ed|ion))?|loggedin)$/;
/** Lists of those readers, or the number of all who have read it. */
const READER_LIST = /^(?:readers|viewers)$/;
const ALONE = /^(?:true|yes|on|y|1|only|required?)$/i;

/** Whether a member of a post says that it is shown to some people alone. @param key as of `memberKey` */
export function isLimitingMember(key: string): boolean {
  return [LIMITING_MEMBER, OTHER_LIMITING_MEMBER, AUDIENCE, READERS_ALONE, READER_LIST].some((names) =>
    names.test(key),
  );
}

/** Words for readers who are not all of them. */
const SOME_READERS = new RegExp(
  `paid|premium|member|subscri|patron|private|founding|internal|only|(?<![a-z])${READERS}(?![a-z])`,
  "i",
);

/** Whether an audience is of some people alone: others may be only interested, such as beginners. */
function isForSome(audience: unknown): boolean {
  if (typeof audience === "object" && audience !== null) return true;
  return SOME_READERS.test(String(audience ?? ""));
}

/** Members whose value is a name of a price. */
const TIER = /^(?:membership|tiers?)$/;

/** Whether a member of a post says that the post is for some people alone. @param key as of `memberKey` */
export function limitsReaders(key: string, value: unknown): boolean {
  if (AUDIENCE.test(key)) return Array.isArray(value) ? value.some(isForSome) : isForSome(value);
  if (READER_LIST.test(key)) return !limitsNobody(value) && !/^[\d.,]+$/.test(String(value));
  if (READERS_ALONE.test(key)) return ALONE.test(String(value).trim());
  const isFree = TIER.test(key) && typeof value === "string" && /^free$/i.test(value.trim());
  return isLimitingMember(key) && !isFree && !limitsNobody(value);
}

/** Words of programs for what everybody sees. */
export const FOR_EVERYBODY =
  /^(?:0|no|off|false|none|default|inherit|everybody|everyone|all|public|open|visible|anyone|a:0:\{\}|\[\]|\{\})?$/i;

/** Whether the value of such a name says that nothing is limited. */
export function limitsNobody(value: unknown): boolean {
  // A date of TOML has no members of its own.
  if (value instanceof Date) return false;
  if (Array.isArray(value)) return value.every(isEmptyValue) || value.every(isSwitchedOff);
  if (typeof value === "object" && value !== null)
    return isSwitchedOff(value) || Object.values(value).every(isEmptyValue);
  return isEmptyValue(value) || FOR_EVERYBODY.test(String(value).trim());
}

function isSwitchedOff(value: unknown): boolean {
  return (value as { readonly enabled?: unknown } | null)?.enabled === false;
}

function isEmptyValue(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === "" || value === 0;
}
