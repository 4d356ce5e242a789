import { escapedHtml } from "../html/html-content.ts";
import type { Growth } from "../reading/growth.ts";
import { cardOf, type GhostPart, listOf, recordOf } from "./ghost-cards.ts";

/** A document of Ghost's editors as people see it. */
export interface GhostDocument {
  readonly parts: readonly GhostPart[];
  /** Names of nodes and cards that are not known, of which only the text inside is there. */
  readonly unknown: readonly string[];
  /** Names of those that have no text inside, so that nothing of them is there. */
  readonly leftOut: readonly string[];
  /** Cards that no visitor sees, each with its mark. */
  readonly hidden: readonly string[];
}

type Values = Readonly<Record<string, unknown>>;

/** No document has more nodes in one another. */
const DEPTH_MAX = 100;

/** Reads a document of either editor. @param growth of all posts of the file @returns undefined when it is neither */
export function ghostDocument(
  lexical: unknown,
  mobiledoc: unknown,
  growth: Growth,
): GhostDocument | undefined {
  const root = recordOf(recordOf(lexical).root);
  if (Array.isArray(root.children)) return new Lexical().read(listOf(root.children));
  const document = recordOf(mobiledoc);
  return Array.isArray(document.sections) ? new Mobiledoc(document, growth).read() : undefined;
}

/** Whether it is a document of either editor. */
export function isGhostDocument(lexical: unknown, mobiledoc: unknown): boolean {
  const { children } = recordOf(recordOf(lexical).root);
  return Array.isArray(children) || Array.isArray(recordOf(mobiledoc).sections);
}

/** Bits of the format of a text, with their elements (lexical, `TEXT_TYPE_TO_FORMAT`). */
const FORMATS = [
  [1, "strong"],
  [2, "em"],
  [4, "s"],
  [8, "u"],
  [16, "code"],
  [32, "sub"],
  [64, "sup"],
  [128, "mark"],
] as const;

/** Elements around the children of a node, by its type without `extended-`. */
const ELEMENTS: Readonly<Record<string, string>> = {
  paragraph: "p",
  quote: "blockquote",
  aside: "blockquote",
  listitem: "li",
};

class Lexical {
  readonly #unknown = new Set<string>();
  readonly #leftOut = new Set<string>();
  readonly #hidden = new Set<string>();

  read(nodes: readonly Values[]): GhostDocument {
    const parts = nodes.flatMap((node): GhostPart[] => {
      const type = typeOf(node);
      const card = this.#card(type, node);
      if (card !== undefined) return [card];
      const html = this.#html(node, 1);
      return html === "" || html === "<p></p>" ? [] : [{ html }];
    });
    const [unknown, leftOut, hidden] = [this.#unknown, this.#leftOut, this.#hidden].map((names) => [
      ...names,
    ]);
    return { parts, unknown: unknown ?? [], leftOut: leftOut ?? [], hidden: hidden ?? [] };
  }

  /** A card, which is empty if nobody sees it. */
  #card(type: string, node: Values): GhostPart | undefined {
    const card = cardOf(type, node);
    if (card === undefined || !("leftOut" in card)) return card;
    this.#hidden.add(card.leftOut);
    return { html: "" };
  }

  #html(node: Values, depth: number): string {
    const type = typeOf(node);
    if (type === "text") return formatted(node);
    if (type === "linebreak") return "<br>";
    const inner = depth > DEPTH_MAX ? "" : this.#inner(node, depth);
    if (type === "link" || type === "autolink")
      return typeof node.url === "string" ? `<a href="${escapedHtml(node.url)}">${inner}</a>` : inner;
    if (type === "heading" || type === "list") {
      const tag = /^(?:h[1-6]|ul|ol)$/.exec(String(node.tag))?.[0] ?? (type === "list" ? "ul" : "h2");
      return `<${tag}>${inner}</${tag}>`;
    }
    const card = this.#card(type, node);
    if (card !== undefined) return "html" in card ? card.html : `<p>${escapedHtml(card.markdown)}</p>`;
    const tag = ELEMENTS[type];
    if (tag !== undefined) return `<${tag}>${inner}</${tag}>`;
    const text = inner || formatted(node);
    if (node.type !== undefined) (text === "" ? this.#leftOut : this.#unknown).add(type);
    return text;
  }

  #inner({ children }: Values, depth: number): string {
    return listOf(children)
      .map((child) => this.#html(child, depth + 1))
      .join("");
  }
}

function typeOf({ type }: Values): string {
  return String(type).replace(/^extended-/, "");
}

function formatted({ text, format }: Values): string {
  const bits = typeof format === "number" ? format : 0;
  return FORMATS.filter(([bit]) => (bits & bit) !== 0).reduce(
    (html, [, tag]) => `<${tag}>${html}</${tag}>`,
    escapedHtml(typeof text === "string" ? text : ""),
  );
}

/** Kinds of sections (Mobiledoc 0.3). */
const TEXT = 1;
const IMAGE = 2;
const LIST = 3;
const CARD = 10;
/** In place of the name of an entry that is used too often. */
const REPEATED = "repeated too often";
const TAG = /^(?:p|h[1-6]|blockquote|aside|pull-quote|ul|ol|a|b|strong|i|em|u|s|sub|sup|code|strike|del)$/;

class Mobiledoc {
  readonly #document: Values;
  readonly #growth: Growth;
  readonly #leftOut = new Set<string>();
  readonly #hidden = new Set<string>();
  /** The length of each entry of its tables that was used. */
  readonly #lengths = new Map<unknown, number>();

  constructor(document: Values, growth: Growth) {
    this.#document = document;
    this.#growth = growth;
  }

  read(): GhostDocument {
    const sections = this.#document.sections as readonly unknown[];
    const parts = sections.flatMap((section) => this.#part(Array.isArray(section) ? section : []) ?? []);
    return { parts, unknown: [], leftOut: [...this.#leftOut], hidden: [...this.#hidden] };
  }

  #part([kind, first, second]: readonly unknown[]): GhostPart | undefined {
    switch (kind) {
      case TEXT: {
        const html = this.#markers(second);
        const tag = TAG.test(String(first)) ? String(first) : "p";
        const element = tag === "aside" || tag === "pull-quote" ? "blockquote" : tag;
        return html === "" ? undefined : { html: `<${element}>${html}</${element}>` };
      }
      case IMAGE:
        return { html: `<figure><img src="${escapedHtml(String(first))}" alt=""></figure>` };
      case LIST: {
        const tag = first === "ol" ? "ol" : "ul";
        const items = Array.isArray(second) ? second : [];
        return {
          html: `<${tag}>${items.map((item) => `<li>${this.#markers(item)}</li>`).join("")}</${tag}>`,
        };
      }
      case CARD: {
        const [name, payload] = this.#of("cards", first);
        const card = cardOf(String(name), recordOf(payload));
        if (card !== undefined && !("leftOut" in card)) return card;
        if (card === undefined) this.#leftOut.add(String(name));
        else this.#hidden.add(card.leftOut);
        return undefined;
      }
      default:
        this.#leftOut.add(String(kind));
        return undefined;
    }
  }

  /** An entry of one of its tables, which a text can refer to any number of times. */
  #of(table: string, index: unknown): readonly unknown[] {
    const entries = this.#document[table];
    const entry: unknown = Array.isArray(entries) && typeof index === "number" ? entries[index] : undefined;
    if (!Array.isArray(entry)) return [];
    const length = this.#lengths.get(entry) ?? JSON.stringify(entry).length;
    this.#lengths.set(entry, length);
    if (this.#growth.allows(length)) return entry;
    this.#leftOut.add(REPEATED);
    return [REPEATED];
  }

  /** Text with its markups, each of which is opened at a marker and closed at the same or a later one. */
  #markers(markers: unknown): string {
    const open: string[] = [];
    let html = "";
    for (const marker of Array.isArray(markers) ? markers : []) {
      const [kind, opened, closed, value] = Array.isArray(marker) ? marker : [];
      for (const index of Array.isArray(opened) ? opened : []) {
        const [name, attributes] = this.#of("markups", index);
        const tag = TAG.test(String(name)) ? String(name) : "span";
        const [key, url] = Array.isArray(attributes) ? attributes : [];
        html += tag === "a" && key === "href" ? `<a href="${escapedHtml(String(url))}">` : `<${tag}>`;
        open.push(tag);
      }
      html += kind === 1 ? this.#atom(value) : escapedHtml(String(value ?? ""));
      for (let count = Number(closed) || 0; count > 0 && open.length > 0; count--) html += `</${open.pop()}>`;
    }
    return (
      html +
      open
        .toReversed()
        .map((tag) => `</${tag}>`)
        .join("")
    );
  }

  #atom(index: unknown): string {
    const [name, text] = this.#of("atoms", index);
    return name === "soft-return" ? "<br>" : escapedHtml(String(text ?? ""));
  }
}
