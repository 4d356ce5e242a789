/**
 * A library of 3,000 odd bookmarks, 300 odd posts and 5,000 queries for them: scripts without spaces, right to left,
 * combining marks, emoji, letters that change their length with their case, punctuation, URLs. The same on every
 * machine, since the numbers are drawn from a generator of our own.
 */

/** Numbers from 0 (inclusive) to 1 (exclusive): mulberry32. */
export class Lots {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** One of a list; the first ones are drawn more often, as words of a language are. */
  common<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() ** 2 * list.length)] as T;
  }

  oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  isTrue(share: number): boolean {
    return this.next() < share;
  }

  listOf<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }
}

const WORDS = [
  ...["river", "deep", "the", "of", "machine", "rivers", "a", "java", "javascript", "node", "js", "it", "in"],
  ...[
    "Zürich",
    "zurich",
    "Straße",
    "STRASSE",
    "Öl",
    "Łódź",
    "lodz",
    "Ærø",
    "smørrebrød",
    "naïve",
    "cafe\u0301",
  ],
  ...[
    "İstanbul",
    "ISTANBUL",
    "ıslak",
    "diyarbakır",
    "ﬁnance",
    "ﬀ",
    "½",
    "①",
    "Ⅻ",
    "㎏",
    "ＡＢＣ",
    "ﾃｽﾄ",
    "²",
  ],
  ...[
    "東京",
    "東京大学",
    "京",
    "大",
    "京都大学院",
    "日本語",
    "ひらがな",
    "カタカナ",
    "ガ",
    "か\u3099",
    "北京",
  ],
  ...[
    "한국어",
    "서울",
    "대학교",
    "ไทย",
    "ภาษาไทย",
    "กรุงเทพ",
    "ខ្មែរ",
    "မြန်မာ",
    "ລາວ",
    "हिन्दी",
    "नमस्ते",
    "தமிழ்",
  ],
  ...["שלום", "עברית", "العربية", "مَرْحَبًا", "فارسی", "Ελλάδα", "ελλαδα", "Οδυσσεύς", "Россия", "ёлка", "елка"],
  ...[
    "iPhone東京",
    "C++",
    "c",
    "c++",
    "f#",
    "F",
    "R&D",
    "don't",
    "O’Reilly",
    "rock'n'roll",
    "e-mail",
    "co-op",
  ],
  ...[
    "2024",
    "1999",
    "3.14",
    "192.168.0.1",
    "v1.2.3",
    "100%",
    "$5",
    "€20",
    "50°",
    "#1",
    "@home",
    "a_b",
    "x/y",
  ],
  ...[
    "😀",
    "👩‍👩‍👧",
    "🇩🇪",
    "❤️",
    "NEAR",
    "AND",
    "OR",
    "NOT",
    "and",
    "<->",
    "'",
    "\\",
    '"',
    "*",
    "(",
    ")",
    "-",
    "…",
  ],
  ...[
    "x".repeat(63),
    "y".repeat(64),
    "z".repeat(65),
    "ſ",
    "ŉ",
    "ẞ",
    "ﬆ",
    "\u0301",
    "e\u0301\u0302",
    "\u200d",
    "ß",
  ],
] as const;
const SEPARATORS = [" ", " ", " ", " ", ", ", "-", "\n", ". ", "/", "　", "\u00a0", ""] as const;
const TAGS = [
  ...[
    "dev",
    "Dev/js",
    "dev/js/node",
    "R&D",
    "2024",
    "a(b)",
    "東京",
    "C#",
    "it's",
    "zürich",
    "ZÜRICH",
    "*",
    'x"y',
  ],
  ...[
    "a/b/c/d",
    "развитие",
    "עברית",
    "😀",
    "c++",
    "to-read",
    "x".repeat(50),
    "İ",
    "ß",
    "%41",
    "a%2Fb",
    "=",
    "~",
    ":",
  ],
] as const;
const HOSTS = [
  ...[
    "example.com",
    "www.example.com",
    "github.com",
    "gist.github.com",
    "münchen.de",
    "192.168.0.1",
    "[::1]",
  ],
  ...[
    "deep.river.example",
    "a.b.c.d.example.org",
    "localhost:8000",
    "東京.jp",
    "xn--p1ai.example",
    "WWW.Example.ORG",
  ],
] as const;
const PATHS = [
  ...[
    "",
    "river",
    "deep/river",
    "a%20b",
    "%E6%9D%B1%E4%BA%AC",
    "node.js?x=java",
    "#/machine",
    "%ff",
    "a|b[c]",
  ],
  ...[
    "?q=deep+river&utm_source=x",
    "~user/index.html",
    "2024/03/14/zürich",
    "a//b",
    "%2F%2f",
    "wiki/C%2B%2B",
  ],
] as const;

/** Dates: most of one second, then whole days, months and years, and their edges. */
const SECOND = Date.UTC(2024, 1, 29, 12, 30, 15);
const EDGES = [
  ...[
    0,
    1,
    Date.UTC(1999, 11, 31, 23, 59, 59, 999),
    Date.UTC(2000, 0, 1),
    Date.UTC(2024, 1, 29, 23, 59, 59, 999),
  ],
  ...[
    Date.UTC(2024, 2, 1),
    Date.UTC(2024, 0, 1),
    Date.UTC(2025, 5, 30, 12),
    Date.UTC(2026, 10, 23, 8, 15, 30, 7),
  ],
];

export interface OddBookmark {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly createdAt: Date;
}

export interface OddPost {
  readonly title: string;
  readonly content: string;
  readonly published: boolean;
  readonly tags: readonly string[];
  readonly comments: readonly { readonly author: string; readonly text: string }[];
}

function textOf(lots: Lots, most: number): string {
  return lots
    .listOf(most, () => lots.common(WORDS) + lots.oneOf(SEPARATORS))
    .join("")
    .trim();
}

function shortened(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("");
}

export function oddBookmarks(count = 3_000): OddBookmark[] {
  const lots = new Lots(20_261_124);
  return Array.from({ length: count }, (_, index) => {
    const tags = lots.listOf(4, () => `#${lots.common(TAGS)}`);
    const text = textOf(lots, lots.isTrue(0.02) ? 400 : 14);
    const url = URL.parse(`http${lots.isTrue(0.8) ? "s" : ""}://${lots.common(HOSTS)}/${lots.common(PATHS)}`);
    if (url === null) throw new Error("a host or path of the list makes no URL");
    // Each bookmark is of a page of its own, or an import would merge them; some pages differ by a fragment only.
    url.searchParams.set("n", String(lots.isTrue(0.05) ? index % 40 : index));
    url.hash = lots.isTrue(0.95) && url.hash === "" ? "" : `part-${index}`;
    return {
      title: shortened(textOf(lots, 8), 200),
      url: url.href,
      description: tags.length === 0 ? text : `${text}\n${tags.join(" ")}`,
      createdAt: new Date(dateOf(lots, index, count)),
    };
  });
}

/** Later bookmarks are often older: ids run against the dates. */
function dateOf(lots: Lots, index: number, count: number): number {
  if (lots.isTrue(0.4)) return SECOND;
  if (lots.isTrue(0.2)) return SECOND + (lots.below(3) - 1);
  if (lots.isTrue(0.2)) return lots.oneOf(EDGES);
  return Date.UTC(2026, 5, 1) - Math.floor((index / count) * 25 * 365 * 86_400_000) + lots.below(1_000);
}

export function oddPosts(count = 300): OddPost[] {
  const lots = new Lots(7_411);
  return Array.from({ length: count }, (_, index) => ({
    title: shortened(`${index} ${textOf(lots, 8)}`, 500),
    content: textOf(lots, lots.isTrue(0.1) ? 600 : 60),
    published: lots.isTrue(0.9),
    tags: [...new Set(lots.listOf(3, () => lots.common(TAGS)).filter((tag) => !/[\s,#]/.test(tag)))],
    comments: lots.listOf(2, () => ({
      author: lots.common(["Ada", "Łukasz", "東京 太郎", "river"]),
      text: textOf(lots, 9),
    })),
  }));
}

/** @param fields the names of the fields of the collection */
export function oddQueries(
  count: number,
  seed: number,
  fields: readonly string[],
  hasSites: boolean,
): string[] {
  const lots = new Lots(seed);
  const word = () => lots.common(WORDS);
  const part = (text: string) => shortened(text, 1 + lots.below(Math.min(4, Array.from(text).length)));
  const atom = (): string => {
    const kind = lots.below(hasSites ? 22 : 20);
    if (kind < 7) return word();
    if (kind < 10) return `${part(word())}*`;
    if (kind < 13)
      return `"${lots
        .listOf(3, word)
        .join(lots.oneOf([" ", " ", "-"]))
        .replaceAll('"', "")}"`;
    if (kind < 15) return `${lots.oneOf(fields)}:${lots.isTrue(0.3) ? `"${word()} ${word()}"` : word()}`;
    if (kind < 18) return `${lots.oneOf(["#", "tag:", "tag:=", "-#"])}${lots.common(TAGS)}`;
    if (kind === 18) return "tag:none";
    if (kind === 19 && hasSites) return date();
    return hasSites ? `site:${lots.common([...HOSTS, "example", "org"])}` : word();
  };
  const date = () =>
    `${lots.oneOf(["after", "before", "on"])}:${lots.oneOf(["2024", "2024-02", "2024-02-29", "1999-12-31", "1970", "2000", "2026-11", "9999"])}`;
  const query = (depth: number): string =>
    [
      atomOrGroup(depth),
      ...lots.listOf(
        depth > 1 ? 1 : 3,
        () => `${lots.oneOf([" ", " ", " ", " OR ", " AND "])}${atomOrGroup(depth)}`,
      ),
    ].join("");
  const atomOrGroup = (depth: number): string => {
    const kind = lots.below(12);
    if (kind === 0) return `-${atom()}`;
    if (kind === 1 && depth < 3) return `(${query(depth + 1)})`;
    if (kind === 2 && depth < 3) return `NOT (${query(depth + 1)})`;
    return atom();
  };
  return Array.from({ length: count }, () => query(0).replaceAll("\n", " "));
}
