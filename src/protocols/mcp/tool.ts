import type { z } from "zod";
import type { Scope } from "../../accounts/scope.ts";
import type { ChangeAuthor } from "../../changes/change-store.ts";
import { undoPath } from "../../changes/undo-path.ts";
import type { CopyParts } from "../../copies/copy-parts.ts";
import type { StampedRequest } from "../../database/request-stamp.ts";
import { Refusal } from "../../errors.ts";
import type { Caller } from "../../http/access.ts";
import type { Cors } from "../../http/guards/cors.ts";
import type { Log } from "../../log.ts";
import type { BlogParts } from "../../posts/blog-parts.ts";

/** What the tools are made of. */
export interface McpParts {
  readonly log: Log;
  readonly cors: Cors;
  /** Undefined where there are no bookmarks. */
  readonly copies: CopyParts | undefined;
  /** Undefined where there are no posts. */
  readonly blog: BlogParts | undefined;
  /** Whether there are pages: one that says what a token did, and one that gives tokens. */
  readonly hasPages: boolean;
}

/** Who calls a tool, and by which address of this server. */
export interface ToolCall extends StampedRequest {
  readonly caller: Caller;
  readonly origin: string;
  readonly hasPages: boolean;
}

export interface Answer {
  /** What was found or done, and the next step, in our words alone. */
  readonly message: string;
  /** Texts that others may have written are in members called `quoted`, each with its `source`. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Something that an agent can do. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** All that a token needs for it. What writes needs the scope to read, too, since its answers tell of records. */
  readonly scopes: readonly [Scope, ...Scope[]];
  readonly input: z.ZodObject;
  // biome-ignore lint/suspicious/noExplicitAny: one list has tools of all shapes
  answer(call: ToolCall, input: any): Promise<Answer>;
}

/** Whether a tool changes nothing. */
export function onlyReads({ scopes }: Pick<Tool, "scopes">): boolean {
  return scopes.every((scope) => scope.endsWith(":read"));
}

/** Makes a tool; the type of its input comes from the schema. */
export function tool<I extends z.ZodObject>(
  definition: Omit<Tool, "input" | "answer"> & {
    readonly input: I;
    answer(call: ToolCall, input: z.output<I>): Promise<Answer>;
  },
): Tool {
  return definition;
}

/** By whom a change is recorded. */
export function authorOf({ account, tokenId }: Caller): ChangeAuthor {
  return { accountId: account?.id, tokenId };
}

/** The answer to a change. @param undo the key that undoes it; null when nothing was changed */
export function changed(
  { caller, origin, hasPages }: ToolCall,
  done: string,
  undo: string | null,
  data: Answer["data"],
): Answer {
  if (undo === null) return { message: "Nothing had to be changed.", data: { ...data, undo } };
  const path = undoPath(undo);
  const page = hasPages ? `on ${origin}/keys/${caller.tokenId}/changes, or ` : "";
  const message = `${done} Your user can undo this for 30 days: ${page}by POST ${path}`;
  return { message, data: { ...data, undo: path } };
}

/** The length of a page of a text, in UTF-16 units. */
const PAGE = 8_000;

/** The refusal of a page after the last one. @param what such as `link 7` */
export function lastPage(what: string, last: number): Refusal {
  return new Refusal("invalid", `page: The last page of ${what} is ${last}.`);
}

/** Pages of a text, at least one; joined again they are the text. They end with a paragraph, a line or a word, if they can. */
export function pagesOf(text: string): string[] {
  const pages: string[] = [];
  let rest = text;
  while (rest.length > PAGE) {
    const end = endOf(rest.slice(0, PAGE));
    pages.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pages, rest];
}

function endOf(page: string): number {
  for (const gap of ["\n\n", "\n", " "]) {
    const at = page.lastIndexOf(gap);
    if (at > PAGE / 2) return at + gap.length;
  }
  return withoutHalf(page).length;
}

/** The beginning of a text that does not end between the halves of a character. */
function withoutHalf(beginning: string): string {
  return beginning.replace(/[\ud800-\udbff]$/, "");
}

/** A text for a list: its beginning. */
export function shortened(text: string, length = 300): string {
  if (text.length <= length) return text;
  return `${withoutHalf(text.slice(0, length)).trimEnd()}…`;
}
