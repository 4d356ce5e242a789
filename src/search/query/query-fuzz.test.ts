import { expect, test } from "bun:test";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { rounds } from "../../../test/support/run/full-run.ts";
import { countingModules, growthOf } from "../../../test/support/steps/count-steps.ts";
import { indexedBookmarks } from "../../bookmarks/search/indexed-bookmarks.ts";
import { insideQueryOf } from "./conditions.ts";
import { extractDateRange } from "./created-range.ts";
import { parseQuery, QUERY_MAX } from "./parser.ts";
import { QueryError } from "./query-error.ts";
import { ftsQuery } from "./sqlite-query.ts";
import { TIERS } from "./tiers.ts";

const numRuns = Number(process.env.FUZZ_RUNS ?? rounds(200, 2_000));
const { vocabulary } = indexedBookmarks;

/** Elements of our query language, of FTS5's, and of neither. */
const FRAGMENTS = [
  ...['"', "(", ")", "-", "*", ":", "#", "^", "{", "}", "+", "'", "\\", ".", "/", "%", "~", "@", "_", "="],
  ...["OR", "AND", "NOT", "NEAR", "NEAR(a b, 2)", "or", "title:", "url:", "note:", "site:", "tag:", "body:"],
  ...[
    "page:",
    "page:river",
    'page:"a b"',
    "page:rive*",
    "has:copy",
    "has:mark",
    "is:unread",
    "is:archived",
    "is:",
    "has:x",
  ],
  ...[
    "after:",
    "before:",
    "on:",
    "2024",
    "2024-02-30",
    "2024-13",
    "9999-12-31",
    "last week",
    "#a/b",
    "#2024",
  ],
  ...[
    "https://example.com/a?b=c#d",
    "site:[::1]",
    "münchen",
    "東京都",
    "ﬁ",
    "e\u0301",
    "İ",
    "\u202e",
    "👩‍👩‍👧",
  ],
  ...["\0", "\ud800", "\udc00", "\ufeff", "\u2028", " ", "\t", "\n", "a", "bc", "x".repeat(300)],
];

const queries = fc.oneof(
  fc
    .array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 })
    .chain((parts) => fc.constantFrom("", " ").map((separator) => parts.join(separator))),
  fc.string({ unit: "binary", maxLength: QUERY_MAX + 20 }),
);

test(`Any query is parsed, or refused with a position, and SQLite accepts the result (${numRuns} queries)`, () => {
  using database = new DatabaseSync(":memory:");
  database.exec(
    `create virtual table words using fts5 (title, heads, url, body, marks, content = '', tokenize = "ascii tokenchars '#%+-./=@_~:'")`,
  );
  const search = database.prepare("select count(*) from words where words match ?");
  const property = fc.property(queries, (query) => {
    let parsed: ReturnType<typeof parseQuery>;
    try {
      parsed = parseQuery(query, vocabulary);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      expect(error.position).toBeWithin(0, Array.from(query).length + 1);
      return;
    }
    const { root } = parsed;
    if (root === undefined) return;
    const { query: own, conditions } = extractDateRange(root);
    const inside = own && insideQueryOf(own);
    const insides = conditions.flatMap(({ condition }) =>
      condition.type === "inside" ? [condition.query] : [],
    );
    for (const one of [own, inside?.inside, ...(inside?.own ?? []), ...insides])
      if (one !== undefined) for (const tier of TIERS) search.get(ftsQuery(one, tier));
  });
  fc.assert(property, { numRuns });
});

/** The longest queries of each kind that would take a naive parser quadratic time. */
const LONGEST = [
  '"',
  "(",
  "-",
  "#a",
  "a ",
  "a*",
  "a:",
  "NOT ",
  "OR ",
  "(a OR ",
  "%41",
  "\u0301",
  "https://a/",
];

test.each(LONGEST)("A query of nothing but %j takes no more than the square of its length", async (part) => {
  const counting = await countingModules<typeof import("./parser.ts") & typeof import("./query-error.ts")>(
    import.meta.resolve("./parser.ts"),
    import.meta.resolve("./query-error.ts"),
  );
  const [short, long] = await growthOf((length) => {
    try {
      counting.parseQuery(part.repeat(length / part.length), vocabulary);
    } catch (error) {
      if (!(error instanceof counting.QueryError)) throw error;
    }
  }, QUERY_MAX / 4);
  // The limit of a query makes a square of it bearable: sixteen times as long for four times the length. A cube is not.
  expect(long).toBeLessThan(17 * short);
});
