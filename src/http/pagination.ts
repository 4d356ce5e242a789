import { z } from "zod";
import { Refusal, type ValidationError } from "../errors.ts";
import { asIssue } from "../text.ts";
import { queryInteger, withParameter } from "./parameters.ts";

/** The default number of items per page (blog posts specification, section 8). */
const PAGE_SIZE = 20;
const PAGE_SIZE_MAX = 1_000;

/** The query parameters of every list in pages. */
export const pageParameters = {
  page: z
    .string()
    .transform((value, context): number | "last" => {
      if (value === "last") return "last";
      if (/^-?\d+$/.test(value)) return Number(value);
      context.issues.push(asIssue({ code: "not_an_integer", detail: "Must be an integer, or last." }, value));
      return z.NEVER;
    })
    .meta({
      type: undefined,
      anyOf: [
        { type: "integer", minimum: 1 },
        { type: "string", const: "last" },
      ],
      description: "The page number, starting at 1, or `last`.",
      example: "last",
    })
    .optional(),
  page_size: queryInteger({
    min: 1,
    max: PAGE_SIZE_MAX,
    description: `Number of items on a page; ${PAGE_SIZE} by default.`,
  }).optional(),
};

/** A page of a list. */
export interface Page {
  readonly number: number;
  readonly limit: number;
  readonly offset: number;
  /** Total number of items. */
  readonly count: number;
}

/**
 * The requested page. Page 1 always exists, even when it is empty.
 * @throws Refusal `not_found` for a page past the end
 */
export function pageOf(
  query: { readonly page?: number | "last" | undefined; readonly page_size?: number | undefined },
  count: number,
): Page {
  const limit = query.page_size ?? PAGE_SIZE;
  const last = Math.max(Math.ceil(count / limit), 1);
  const number = query.page === "last" ? last : (query.page ?? 1);
  if (number < 1 || number > last) throw pageNotFound(last);
  return { number, limit, offset: (number - 1) * limit, count };
}

/** Parameters by which clients of other servers go on in a list: ignored, they would get its beginning for ever. */
const FOREIGN_PAGING = ["offset", "skip", "page"];

/**
 * Finds parameters of other servers by which a client would go on in a list.
 * @param query the parameters of the list
 * @param errors to which they are added, with what to use instead
 */
export function findForeignPaging(query: z.ZodObject, search: string, errors: ValidationError[]): void {
  if (!/offset|skip|page/.test(search)) return;
  const instead = nextPageOf(query);
  if (instead === undefined) return;
  const given = new URLSearchParams(search);
  for (const parameter of FOREIGN_PAGING)
    if (!(parameter in query.shape) && given.getAll(parameter).some((value) => value !== ""))
      errors.push({ parameter, code: "unknown_value", detail: instead });
}

/** How a client continues in a list with these parameters; undefined for what is no list. */
function nextPageOf({ shape }: z.ZodObject): string | undefined {
  if ("page" in shape) return "This list has pages: ask for page=2&page_size=50, and so on.";
  if ("cursor" in shape)
    return "This list has no numbered pages: ask for limit=50, then follow the Link header with rel=next.";
  return "limit" in shape ? "This list has no pages: ask for a larger limit." : undefined;
}

/** @param last the number of the last page */
export function pageNotFound(last: number): Refusal {
  return new Refusal("not_found", `No such page; the last page is ${last}.`);
}

/** The schema of a list in pages. */
export function pageSchema(item: z.ZodType, id: string) {
  const link = z.string().nullable().meta({ format: "uri" });
  return z.object({ count: z.int().min(0), next: link, previous: link, results: z.array(item) }).meta({ id });
}

/**
 * The envelope around the items of a page, with absolute links that keep the rest of the query.
 * @param url of the list, without the query
 */
export function envelope(page: Page, url: string, search: string, results: readonly unknown[]) {
  const linkTo = (number: number) => url + withParameter(search, "page", String(number));
  const { number, limit, count } = page;
  return {
    count,
    next: number * limit < count ? linkTo(number + 1) : null,
    previous: number > 1 ? linkTo(number - 1) : null,
    results,
  };
}

/**
 * The text of an envelope with its items filled in, chunk by chunk.
 * @param items chunks of one or more items, separated by commas
 */
export async function* aroundItems(
  empty: ReturnType<typeof envelope>,
  items: AsyncGenerator<string>,
): AsyncGenerator<string> {
  let before = JSON.stringify(empty).slice(0, -"]}".length);
  for await (const text of items) {
    yield before + text;
    before = ",";
  }
  yield before === "," ? "]}" : `${before}]}`;
}
