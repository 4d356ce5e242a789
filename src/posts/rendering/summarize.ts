import { Parser } from "htmlparser2";
import { countWords, minutesToRead, withoutEnd } from "../../text.ts";

/** The maximum length of an excerpt. */
const EXCERPT_MAX = 280;
/** Elements whose text is not part of an excerpt. */
const ASIDE = new Set(["h2", "h3", "h4", "pre", "sup", "aside", "figcaption", "table", "summary"]);
const BLOCKS = new Set(["p", "li", "blockquote", "dd", "dt", "div"]);
/** A text that ends without punctuation, as items of lists do. */
const UNENDED = /[\p{L}\p{M}\p{N}][\p{Pe}\p{Pf}"']*$/u;

/** What lists and previews show of a text. */
export interface Summary {
  /** The beginning of the text without markup, for lists and previews. */
  readonly excerpt: string;
  /** Whether the post has text, code, tables or images that the excerpt leaves out. */
  readonly hasMore: boolean;
  /** The reading time in whole minutes, at least 1. */
  readonly minutes: number;
  /** The `src` of the first image. */
  readonly image: string | undefined;
}

/** The excerpt, reading time and first image of a post, from its safe HTML. */
export function summarize(html: string): Summary {
  let all = "";
  let prose = "";
  let aside = 0;
  let hasLeftOut = false;
  let isNewBlock = false;
  let image: string | undefined;
  const parser = new Parser({
    onopentag(name, { src }) {
      if (ASIDE.has(name)) aside++;
      if (name === "img") image ??= src;
      if (name === "img" || (ASIDE.has(name) && name !== "sup")) hasLeftOut = true;
      if (BLOCKS.has(name)) isNewBlock = true;
      if (name === "br") prose += " ";
      all += " ";
    },
    onclosetag(name) {
      if (ASIDE.has(name)) aside--;
      if (BLOCKS.has(name)) isNewBlock = true;
    },
    ontext(text) {
      all += text;
      if (aside > 0 || prose.length >= 4 * EXCERPT_MAX) return;
      if (isNewBlock && /\S/.test(text)) {
        prose = `${prose.trimEnd()}${UNENDED.test(prose.trimEnd()) ? " · " : " "}`;
        isNewBlock = false;
      }
      prose += text;
    },
  });
  parser.end(html);
  const wholeText = prose.replace(/\s+/g, " ").trim();
  const excerpt = shortened(wholeText);
  return {
    excerpt,
    hasMore: hasLeftOut || excerpt !== wholeText,
    minutes: minutesToRead(countWords(all)),
    image,
  };
}

/** Ends with a sentence, or else at a word with an ellipsis; never before the middle. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= EXCERPT_MAX) return text;
  const start = characters.slice(0, EXCERPT_MAX).join("");
  const sentence = lastSentenceEnd(start);
  if (sentence > start.length / 2) return start.slice(0, sentence);
  const end = start.lastIndexOf(" ");
  return `${withoutEnd(end > start.length / 2 ? start.slice(0, end) : start, " ·")}…`;
}

const SENTENCE_SEGMENTER = new Intl.Segmenter("en", { granularity: "sentence" });
/** A word of three letters before the full stop: shorter ones are often abbreviations. */
const WHOLE = /[^\s.]{3}[.!?…]+["'”’»)\]]*\s$|[。！？][”」』）]*\s?$/u;

/** Where the last whole sentence ends that is followed by another one; 0 if there is none. */
function lastSentenceEnd(text: string): number {
  let end = 0;
  for (const { index, segment } of SENTENCE_SEGMENTER.segment(text))
    if (index + segment.length < text.length && WHOLE.test(segment)) end = index + segment.trimEnd().length;
  return end;
}
