import type { Growth } from "../reading/growth.ts";
import { isOpenCard } from "./gated-parts.ts";
import { type GhostDocument, ghostDocument, isGhostDocument } from "./ghost-documents.ts";

/** The imported columns of a post in a Ghost export (the tables of Ghost's database). */
export interface GhostPost {
  readonly id?: unknown;
  readonly title?: unknown;
  readonly slug?: unknown;
  readonly html?: unknown;
  readonly plaintext?: unknown;
  readonly mobiledoc?: unknown;
  readonly lexical?: unknown;
  readonly markdown?: unknown;
  readonly feature_image?: unknown;
  readonly image?: unknown;
  readonly type?: unknown;
  readonly page?: unknown;
  readonly status?: unknown;
  readonly visibility?: unknown;
  readonly locale?: unknown;
  readonly language?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  readonly published_at?: unknown;
  readonly custom_excerpt?: unknown;
  readonly meta_description?: unknown;
  readonly canonical_url?: unknown;
  readonly codeinjection_head?: unknown;
  readonly codeinjection_foot?: unknown;
  readonly author_id?: unknown;
}

/** The Markdown of a post that consists of one Markdown card; undefined for all others. */
export function markdownOf({ mobiledoc, lexical, markdown }: GhostPost): string | undefined {
  if (typeof markdown === "string" && markdown !== "" && typeof mobiledoc !== "string") return markdown;
  return ofLexical(parsed(lexical)) ?? ofMobiledoc(parsed(mobiledoc));
}

interface Lexical {
  readonly root?: {
    readonly children?: readonly {
      readonly type?: unknown;
      readonly markdown?: unknown;
      readonly visibility?: unknown;
      readonly children?: readonly unknown[];
    }[];
  };
}

function ofLexical(document: unknown): string | undefined {
  const children = (document as Lexical | undefined)?.root?.children;
  if (!Array.isArray(children)) return undefined;
  // The editor keeps an empty paragraph at the end.
  const [first, ...rest] = children.filter(
    ({ type, children }) => type !== "paragraph" || (children?.length ?? 0) > 0,
  );
  const isOpen = isOpenCard(first?.visibility);
  return rest.length === 0 && isOpen && first?.type === "markdown" && typeof first.markdown === "string"
    ? first.markdown
    : undefined;
}

interface Mobiledoc {
  readonly cards?: readonly (readonly [
    unknown,
    { readonly markdown?: unknown; readonly visibility?: unknown },
  ])[];
  readonly sections?: readonly (readonly unknown[])[];
}

function ofMobiledoc(document: unknown): string | undefined {
  const { cards, sections } = (document ?? {}) as Mobiledoc;
  if (!Array.isArray(cards) || !Array.isArray(sections)) return undefined;
  const filled = sections.filter(
    (section) => !(section[0] === 1 && (section[2] as unknown[] | undefined)?.length === 0),
  );
  const [card, ...rest] = cards;
  const isAlone =
    rest.length === 0 && isOpenCard(card?.[1]?.visibility) && filled.length === 1 && filled[0]?.[0] === 10;
  const name = card?.[0];
  const text = card?.[1]?.markdown;
  return isAlone && (name === "markdown" || name === "card-markdown") && typeof text === "string"
    ? text
    : undefined;
}

/** What the editor has stored, which is not HTML. @returns undefined when it cannot be read */
export function documentOf({ lexical, mobiledoc }: GhostPost, growth: Growth): GhostDocument | undefined {
  return ghostDocument(parsed(lexical), parsed(mobiledoc), growth);
}

/** Whether what the editor has stored can be read. */
export function hasDocument({ lexical, mobiledoc }: GhostPost): boolean {
  return isGhostDocument(parsed(lexical), parsed(mobiledoc));
}

function parsed(document: unknown): unknown {
  if (typeof document !== "string") return undefined;
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}
