import { parseCommonWords } from "./index-state.ts";

/** The pairs of adjacent common words that a search may look for as one word. */
export class CommonPairs {
  /** The list of common words in the state of the index. */
  readonly list: string | undefined;
  #words: ReadonlySet<string> | undefined;
  #areUsed = false;

  constructor(list: string | undefined) {
    this.list = list;
  }

  /** Whether the search has used any of them. */
  get areUsed(): boolean {
    return this.#areUsed;
  }

  /** Records that a search in another thread has used some. */
  noteUse(): void {
    this.#areUsed = true;
  }

  /** Whether the two words are such a pair, which the search then uses. */
  use(first: string, second: string): boolean {
    this.#words ??= parseCommonWords(this.list);
    const isPair = this.#words.has(first) && this.#words.has(second);
    this.#areUsed ||= isPair;
    return isPair;
  }
}

export const NO_PAIRS = new CommonPairs(undefined);
