import { z } from "zod";
import { invalid } from "../errors.ts";
import { asIssue } from "../text.ts";
import type { Vocabulary } from "./query/atoms.ts";
import { parseQuery, QUERY_MAX } from "./query/parser.ts";
import type { ParsedQuery } from "./query/query.ts";
import { QueryError } from "./query/query-error.ts";
import { SORTS } from "./search-position.ts";

/** The format of queries in the OpenAPI document: no pattern can say which have an error. */
export const QUERY_FORMAT = "search-query";

/** The parameter with the query; a blank one counts as absent. */
export function queryParameter(vocabulary: Vocabulary, example: string) {
  return z
    .string()
    .transform((text, context): ParsedQuery | undefined => {
      if (text.trim() === "") return undefined;
      try {
        return parseQuery(text, vocabulary);
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
        context.issues.push(
          asIssue({ code: error.code, detail: error.message, position: error.position }, text),
        );
        return z.NEVER;
      }
    })
    .meta({
      ...{ type: "string", format: QUERY_FORMAT, maxLength: QUERY_MAX },
      ...{ description: describeQuery(vocabulary), example },
    });
}

/** The order of a list. */
export const sortParameter = z
  .enum(SORTS)
  .optional()
  .describe(
    "The sort order; by default `relevance` with `q`, otherwise `newest`. Titles are sorted by code point.",
  );

/** Reads a query that does not come as a parameter. @throws Refusal `invalid` */
export function readQuery(text: string, vocabulary: Vocabulary, parameter = "q"): ParsedQuery | undefined {
  const parsed = queryParameter(vocabulary, "").safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const { error: code, position } = issue?.code === "custom" ? (issue.params ?? {}) : {};
  throw invalid([{ parameter, code, detail: issue?.message ?? "", position }]);
}

function describeQuery({ fields, hasTags, hasSites, hasInside }: Vocabulary): string {
  const names = Object.keys(fields).map((name) => `\`${name}:word\``);
  return [
    'The search query: `word other`, `"a phrase"`, `begin*`, `-not`, `one OR other`, `( )`',
    ...names,
    ...(hasTags ? ["`#tag`", "`tag:none`"] : []),
    ...(hasSites ? ["`site:example.com`"] : []),
    ...(hasInside
      ? ["`page:word` (inside copies of pages)", "`has:copy`", "`has:mark`", "`is:unread`", "`is:archived`"]
      : []),
    "`after:2025-03`, `before:2026`, `on:2026-11-21`.",
  ].join(", ");
}
