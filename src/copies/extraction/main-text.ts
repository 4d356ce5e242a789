import type { PageDocument, PageElement, PageNode } from "@mozilla/readability/JSDOMParser.js";

/** Where a page says most, judged by its paragraphs alone. */
export interface MainText {
  readonly element: PageElement;
  /** The words of its paragraphs. */
  readonly words: readonly string[];
  /** The words of what comments are about, if they are most of the page. */
  readonly topic: readonly string[];
  /** The words of each post, if the page consists of such; otherwise of none. */
  readonly posts: readonly (readonly string[])[];
  /** What is not part of the text, such as menus and notes about cookies; some of it is within the element. */
  readonly beside: readonly PageElement[];
}

/** The words outside of links that make a paragraph of a block: labels and entries of menus have fewer. */
const PARAGRAPH = 10;
/** The share of the words of all paragraphs that is most of them. */
const MOST = 0.8;
/** The share of words that a text has, if it is the right one. */
const ENOUGH = 2 / 3;
/** The share that cannot stand beside the rest. */
const HALF = 0.5;
/** The links that make a list of links. */
const LINKS = 3;
/** The characters of a paragraph about another page, with its heading. */
const TEASER = 800;
/** More than the different words of a text that is looked at: three of their numbers make one that is exact. */
const WORDS_MAX = 200_000;
/** The words of a heading. */
const HEADING = 4;

/** Elements within lines. */
const PHRASES = new Set(
  (
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark math q rp rt ruby s samp small span " +
    "strike strong sub sup time tt u var wbr"
  ).split(" "),
);
const UNREAD = new Set(["script", "noscript", "button", "select", "textarea", "label", "option"]);
const BESIDE = new Set(["nav", "aside", "footer", "dialog", "menu"]);
const ROLES_BESIDE =
  /^(?:navigation|complementary|contentinfo|banner|search|dialog|alertdialog|alert|menu|menubar|toolbar|tablist)$/i;
/** What stands beside the text of any page. */
const NAMES_BESIDE_ANY =
  /(?:^|[\s_-])(?:banner|breadcrumbs?|consent|cookies?|gdpr|login|modal|nav|navbar|navigation|onetrust|outbrain|pager|pagination|popup|share|sharing|social|taboola|toolbar)(?:$|[\s_-])/i;
/** What stands beside an article. */
const NAMES_BESIDE =
  /(?:^|[\s_-])(?:ads?|advert\w*|disclaimer|disclosure|footer|legal|mailform|newsletter|popular|promos?|recommend\w*|related|rss|side|sidebar|signup|sponsor\w*|subscribe|subscription|suggest\w*|teasers?|trending)(?:$|[\s_-])/i;
const COMMENTS = /(?:^|[\s_-])(?:comments?|commentlist|disqus\w*|replies|respond|reactions)(?:$|[\s_-])/i;

/** Names of posts, or of elements near around them. */
const NAMES_OF_POSTS = /answer|question|post|message|repl(?:y|ies)|topic|thread|discussion|comment/i;
const NEAR = 3;

/** The words of a text; the characters of scripts without spaces. */
function wordsOf(text: string): string[] {
  return (
    text.toLowerCase().match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}]+/gu) ??
    []
  );
}

/** The sequences of words in a text. */
class Phrasing {
  readonly #numbers = new Map<string, number>();
  readonly #sequences: ReadonlySet<number>;

  constructor(text: string) {
    for (const word of wordsOf(text)) this.#numbers.getOrInsertComputed(word, () => this.#numbers.size + 1);
    this.#sequences = new Set(this.#sequencesOf(wordsOf(text)));
  }

  /** The number of sequences of some words that are in the text, too. */
  count(words: readonly string[]): number {
    return this.#sequencesOf(words).filter((sequence) => this.#sequences.has(sequence)).length;
  }

  /** The share of them; 1 of none. */
  share(words: readonly string[]): number {
    return words.length < 3 ? 1 : this.count(words) / (words.length - 2);
  }

  /** Three words hardly follow each other twice by chance. */
  #sequencesOf(words: readonly string[]): number[] {
    const numbers = words.map((word) => this.#numbers.get(word) ?? 0);
    return numbers
      .slice(2)
      .map(
        (number, index) =>
          ((numbers[index] ?? 0) * WORDS_MAX + (numbers[index + 1] ?? 0)) * WORDS_MAX + number,
      );
  }
}

/**
 * The smallest element with most of the words in paragraphs, and with all posts of a discussion.
 * @param including a text of the page that is to be in it, where it stands in paragraphs
 */
export function mainText(document: PageDocument, including = ""): MainText {
  const { body } = document;
  const all = new Paragraphs(body, new Set(), document.title);
  const beside: PageElement[] = [];
  const comments: PageElement[] = [];
  const look = (element: PageElement) => {
    for (const child of element.children) {
      const { words, linked, said, links, headlines } = all.of(child);
      if (words <= all.of(body).words * HALF && isBeside(child)) beside.push(child);
      else if (isOfComments(child)) comments.push(child);
      else if (words > 0 && said <= TEASER && headlines > 0) beside.push(child);
      else if (words === 0 && links >= LINKS && linked > said / 2 && !PHRASES.has(child.localName))
        beside.push(child);
      else look(child);
    }
  };
  look(body);
  const withComments = new Paragraphs(body, new Set(beside));
  const without = new Paragraphs(body, new Set([...beside, ...comments]));
  const isTalk = withComments.of(body).words > 2 * without.of(body).words && !saysArticle(document);
  const paragraphs = isTalk ? withComments : without;
  const posts = postsIn(body, paragraphs);
  const holdsText = holdsMostOf(including, paragraphs);
  const topic = isTalk ? without.words.flat() : [];
  const holdsTopic = holdsMostOf(topic.join(" "), paragraphs);
  const holds = (element: PageElement) => {
    const { words, from, to } = paragraphs.of(element);
    const isMost = words > paragraphs.of(body).words * MOST;
    return (
      isMost &&
      posts.every((post) => from <= post.from && post.to <= to) &&
      holdsText(element) &&
      holdsTopic(element)
    );
  };
  let element = body;
  for (let inner: PageElement | undefined = body; inner !== undefined; ) {
    element = inner;
    inner = element.children.find(holds);
  }
  return {
    element,
    words: paragraphs.wordsOf(paragraphs.of(element)),
    topic,
    posts: posts.map((post) => paragraphs.wordsOf(post)),
    beside: isTalk ? beside : [...beside, ...comments],
  };
}

/** Whether a text has most words of the paragraphs, what comments are about, and all posts if it has one. */
export function hasMost({ words, topic, posts }: MainText, text: string): boolean {
  const phrasing = new Phrasing(text);
  const has = (part: readonly string[]) => phrasing.share(part) >= ENOUGH;
  return has(words) && has(topic) && (posts.every(has) || !posts.some(has));
}

/** The share of the words of the paragraphs that a text has. */
export function shareOf(main: MainText | undefined, text: string): number {
  return new Phrasing(text).share(main?.words ?? []);
}

/** What stands beside whatever a page says, such as menus and notes about cookies; nothing that has most of its letters. */
export function besideIn(body: PageElement): readonly PageElement[] {
  const all = new Paragraphs(body, new Set());
  const look = (element: PageElement): readonly PageElement[] =>
    element.children.flatMap((child) => {
      const { said } = all.of(child);
      return said <= all.of(body).said * HALF && isBesideAny(child) ? [child] : look(child);
    });
  return look(body);
}

/** Whether an element has most of the paragraphs that are in a text. */
function holdsMostOf(text: string, paragraphs: Paragraphs): (element: PageElement) => boolean {
  const phrasing = new Phrasing(text);
  const before = [0];
  for (const paragraph of paragraphs.words) before.push((before.at(-1) ?? 0) + phrasing.count(paragraph));
  const count = (from: number, to: number) => (before[to] ?? 0) - (before[from] ?? 0);
  const all = count(0, before.length - 1);
  return (element) => {
    const { from, to } = paragraphs.of(element);
    return count(from, to) >= all * MOST;
  };
}

/** The parts of the same name with most words, such as a question and its answers; none if a page consists of something else. */
function postsIn(body: PageElement, paragraphs: Paragraphs): readonly Within[] {
  const groups = new Map<string, Within[]>();
  const look = (element: PageElement, distance: number) => {
    for (const child of element.children) {
      const within = paragraphs.of(child);
      if (within.words === 0) continue;
      const name = `${child.className} ${child.id}`;
      const nearest = NAMES_OF_POSTS.test(name) ? 0 : distance + 1;
      if (child.className !== "" && nearest <= NEAR) {
        const group = groups.getOrInsertComputed(`${child.localName} ${child.className}`, () => []);
        // Not within another one.
        if (within.from >= (group.at(-1)?.to ?? 0)) group.push(within);
      }
      look(child, nearest);
    }
  };
  look(body, NEAR);
  const [largest] = [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({ group, words: group.reduce((words, post) => words + post.words, 0) }))
    .toSorted((one, other) => other.words - one.words);
  return largest === undefined || largest.words < paragraphs.of(body).words * HALF ? [] : largest.group;
}

interface Within {
  /** How many words are in paragraphs. */
  readonly words: number;
  /** The paragraphs. */
  readonly from: number;
  readonly to: number;
  /** How many characters there are, how many of them in links, and how many links. */
  readonly said: number;
  readonly linked: number;
  readonly links: number;
  /** How many headings lead to other pages. */
  readonly headlines: number;
}

const NOTHING: Within = { words: 0, from: 0, to: 0, said: 0, linked: 0, links: 0, headlines: 0 };

/** The paragraphs within each element. */
class Paragraphs {
  readonly words: (readonly string[])[] = [];
  readonly #leftOut: ReadonlySet<PageElement>;
  readonly #title: string;
  readonly #within = new Map<PageElement, Within>();
  #count = 0;
  #said = 0;
  #linked = 0;
  #links = 0;
  #headlines = 0;
  /** Of the last link. */
  #href = "";
  #line = "";
  /** Without links. */
  #plain = "";

  constructor(element: PageElement, leftOut: ReadonlySet<PageElement>, title = "") {
    this.#leftOut = leftOut;
    this.#title = wordsOf(title).join(" ");
    this.#block(element, false);
  }

  of(element: PageElement): Within {
    return this.#within.get(element) ?? NOTHING;
  }

  wordsOf({ from, to }: Within): readonly string[] {
    return this.words.slice(from, to).flat();
  }

  #block(element: PageElement, isLink: boolean): void {
    this.#endLine();
    const [words, from, said, linked] = [this.#count, this.words.length, this.#said, this.#linked];
    const [links, headlines] = [this.#links, this.#headlines];
    for (const child of element.childNodes) this.#node(child, isLink);
    this.#endLine();
    const isLinked = this.#said - said === this.#linked - linked;
    if (/^h[1-6]$/.test(element.localName) && isLinked && this.#isHeadline(element)) this.#headlines++;
    this.#within.set(element, {
      words: this.#count - words,
      from,
      to: this.words.length,
      said: this.#said - said,
      linked: this.#linked - linked,
      links: this.#links - links,
      headlines: this.#headlines - headlines,
    });
  }

  /** Whether a heading in a link leads to another page; the name of somebody who writes is none. */
  #isHeadline(heading: PageElement): boolean {
    const words = wordsOf(heading.textContent);
    return words.length >= HEADING && !this.#href.includes("#") && !this.#title.includes(words.join(" "));
  }

  #node(node: PageNode, isLink: boolean): void {
    if (node.nodeType === 3) this.#text(node.textContent, isLink);
    if (node.nodeType !== 1 || UNREAD.has(node.localName) || this.#leftOut.has(node)) return;
    const { localName } = node;
    if (localName === "a") {
      this.#links++;
      this.#href = node.getAttribute("href") ?? "";
    }
    if (!PHRASES.has(localName)) this.#block(node, isLink);
    else if (localName === "br") this.#break();
    else for (const child of node.childNodes) this.#node(child, isLink || localName === "a");
  }

  #text(text: string, isLink: boolean): void {
    const { length } = text.trim();
    this.#said += length;
    if (isLink) this.#linked += length;
    this.#line += text;
    if (!isLink) this.#plain += text;
  }

  #break(): void {
    this.#line += " ";
    this.#plain += " ";
  }

  #endLine(): void {
    const [line, plain] = [this.#line, wordsOf(this.#plain).length];
    this.#line = "";
    this.#plain = "";
    if (plain < PARAGRAPH) return;
    this.#count += plain;
    this.words.push(wordsOf(line));
  }
}

/** Whether a page says that it is an article, so that comments are none of it. */
function saysArticle(document: PageDocument): boolean {
  const types = document
    .getElementsByTagName("meta")
    .filter((meta) => meta.getAttribute("property") === "og:type")
    .map((meta) => meta.getAttribute("content")?.toLowerCase());
  if (types.includes("article")) return true;
  return document
    .getElementsByTagName("script")
    .some((script) =>
      /"@type"\s{0,5}:\s{0,5}\[?\s{0,5}"(?:\w{0,30}Article|BlogPosting|Recipe)"/.test(script.textContent),
    );
}

function isBeside(element: PageElement): boolean {
  return isBesideAny(element) || NAMES_BESIDE.test(`${element.className} ${element.id}`);
}

function isBesideAny(element: PageElement): boolean {
  return (
    BESIDE.has(element.localName) ||
    ROLES_BESIDE.test(element.getAttribute("role") ?? "") ||
    NAMES_BESIDE_ANY.test(`${element.className} ${element.id}`)
  );
}

/** Whether an element has comments, by its names. */
export function isOfComments(element: PageElement): boolean {
  return COMMENTS.test(`${element.className} ${element.id}`);
}
