import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ForeignProcess, ownProgram, runForeign } from "../../foreign-process.ts";
import { temporaryFileRefusal, temporaryFolder } from "../../temporary-file.ts";
import type { ExtractedPage } from "./extract-page.ts";
import { type ExtractionCode, ExtractionError } from "./extraction-error.ts";

/** The hidden command of the process that extracts. Its only argument is the folder. */
export const EXTRACT_PAGE = "extract-page";

/** What the folder has, by name: the page, where it is from, and what was found. Beside them, the pictures by their numbers. */
export const FILES = { page: "page", request: "request.json", result: "result.json" };

/** JSON. */
export interface ExtractionRequest {
  readonly url: string;
  readonly contentType?: string | undefined;
  readonly isText?: boolean;
}

/** JSON: the page without the bytes of its pictures, and why there is none. Pictures that no copy keeps for their size have no bytes. */
export type ExtractionResult =
  | {
      readonly page: Omit<ExtractedPage, "publishedAt" | "pictures"> & {
        readonly publishedAt: string | null;
      };
      readonly pictures: readonly { readonly url: string; readonly hasBytes: boolean }[];
    }
  | { readonly refused: ExtractionCode }
  | { readonly broken: string };

const USUAL: ForeignProcess = {
  get program() {
    return ownProgram();
  },
  seconds: 5,
  patience: 10,
  memory: 768 * 1024 * 1024,
};

/** Extracts pages, one after another, each in a process of its own, which a hostile page can make slow or large without harm to others. */
export class Extractor {
  readonly #process: ForeignProcess;
  #last: Promise<unknown> = Promise.resolve();

  /** @param process only tests have another one */
  constructor(process: Partial<ForeignProcess> = {}) {
    this.#process = { ...USUAL, ...process };
  }

  /**
   * @param bytes the page as it was sent or fetched; what a browser had as text is UTF-8 with `text/html; charset=utf-8`
   * @param url the address of the page, http or https
   * @param contentType of its header; without one, the bytes say whether it is HTML
   * @throws ExtractionError also when it takes too much time or memory; the reason of the signal
   */
  extract(
    bytes: Uint8Array,
    url: string,
    contentType?: string,
    signal?: AbortSignal,
  ): Promise<ExtractedPage> {
    return this.#inTurn(bytes, { url, contentType }, signal);
  }

  /**
   * Sanitizes what another program has extracted: all of it is the text.
   * @param html the text, in a page or without one
   * @param url the address of the page, http or https
   * @throws as {@link extract}
   */
  sanitize(html: string, url: string, signal?: AbortSignal): Promise<ExtractedPage> {
    const request = { url, contentType: "text/html; charset=utf-8", isText: true };
    return this.#inTurn(Buffer.from(html), request, signal);
  }

  #inTurn(
    bytes: Uint8Array,
    request: ExtractionRequest,
    signal: AbortSignal | undefined,
  ): Promise<ExtractedPage> {
    const extracted = this.#last.then(() => this.#extract(bytes, request, signal));
    this.#last = extracted.catch(() => {});
    return extracted;
  }

  async #extract(
    bytes: Uint8Array,
    request: ExtractionRequest,
    signal: AbortSignal | undefined,
  ): Promise<ExtractedPage> {
    signal?.throwIfAborted();
    await using folder = await temporaryFolder();
    const file = (name: string) => join(folder.path, name);
    try {
      writeFileSync(file(FILES.page), bytes, { mode: 0o600 });
      writeFileSync(file(FILES.request), JSON.stringify(request), { mode: 0o600 });
    } catch (cause) {
      throw temporaryFileRefusal(cause);
    }
    const end = await runForeign(this.#process, [EXTRACT_PAGE, folder.path], { signal });
    // A page on which the process fails without a word fails again.
    if (end !== "done") throw new ExtractionError("too-costly");
    const result = JSON.parse(readFileSync(file(FILES.result), "utf8")) as ExtractionResult;
    if ("refused" in result) throw new ExtractionError(result.refused);
    if ("broken" in result) throw new Error(`The extraction of a page failed: ${result.broken}`);
    const { page, pictures } = result;
    return {
      ...page,
      publishedAt: page.publishedAt === null ? null : new Date(page.publishedAt),
      pictures: pictures.map(({ url, hasBytes }, index) => ({
        url,
        ...(hasBytes && { bytes: readFileSync(file(pictureName(index))) }),
      })),
    };
  }
}

/** The name of a picture's file, and in the text. */
export function pictureName(index: number): string {
  return `picture-${index + 1}`;
}
