// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source
import type { Mutant } from "./mutant.ts";

const BOTH = ["sqlite", "postgres"] as const;
const SQLITE = ["sqlite"] as const;
const POSTGRES = ["postgres"] as const;
const STANDBYS = ["standbys"] as const;
const RESPONSE_CACHE = "http/caching/response-cache.ts";

/** Mistakes in reads: caches, entity tags, pages and searches. */
export const MUTANTS_OF_READS: readonly Mutant[] = [
  {
    name: "a cached response is sent without asking whether anything was committed",
    engines: BOTH,
    edits: [
      {
        file: RESPONSE_CACHE,
        anchor: "if (cached?.stamp === current && this.#database",
        replacement: "if (cached !== undefined && this.#database",
      },
    ],
  },
  {
    name: "a request joins a query that was started before its own write",
    engines: POSTGRES,
    edits: [
      {
        file: "database/postgres/single-flight.ts",
        anchor: "if (this.#inFlight === undefined) return this.#start();",
        replacement: "return this.#inFlight ?? this.#start();",
      },
    ],
  },
  {
    name: "the stamp of the last commit is remembered for five milliseconds",
    engines: SQLITE,
    edits: [
      {
        file: "database/sqlite/sqlite.ts",
        anchor: "return Number(this.#dataVersion.get()?.data_version);",
        replacement: `const kept = this as unknown as { until?: number; stampKept: number };
      if (performance.now() < (kept.until ?? 0)) return kept.stampKept;
      const stamp = Number(this.#dataVersion.get()?.data_version);
      kept.stampKept = stamp;
      kept.until = performance.now() + 5;
      return stamp;`,
      },
    ],
  },
  {
    name: "304 without asking whether anything was committed",
    engines: BOTH,
    edits: [
      {
        file: RESPONSE_CACHE,
        anchor: "if (cached?.stamp === current && this.#database",
        replacement: `if (cached !== undefined && isNotModified(request, cached.etag))
        return this.#answerCached(request, key, cached, source.caching);
      if (cached?.stamp === current && this.#database`,
      },
    ],
  },
  {
    name: "a list's tag is read after its body",
    engines: POSTGRES,
    edits: [
      {
        file: RESPONSE_CACHE,
        anchor: "const answer = { status: 200, etag, caching, headers };",
        replacement:
          "const answer = { status: 200, etag: (await source.version(this.#database.read)).etag, caching, headers };",
      },
    ],
  },
  {
    name: "a page is made of two moments",
    engines: POSTGRES,
    edits: [
      {
        file: RESPONSE_CACHE,
        anchor: "return source.searches ? render(this.#database.read)",
        replacement: "return source.searches !== null ? render(this.#database.read)",
      },
    ],
  },
  {
    name: "a standby answers whatever it has",
    engines: STANDBYS,
    edits: [
      {
        file: "database/postgres/standbys.ts",
        anchor: '|| !states.has(row.stamp ?? "0")',
        replacement: "",
      },
    ],
  },
  {
    name: "a standby answers with commits that nobody may see yet",
    engines: STANDBYS,
    edits: [
      {
        file: "database/postgres/standbys.ts",
        anchor: '!states.has(row.stamp ?? "0")',
        replacement: "![...states].some((state) => BigInt(row.stamp ?? 0) >= BigInt(state))",
      },
    ],
  },
  {
    name: "a token's row is cached although another process has committed",
    engines: SQLITE,
    edits: [
      {
        file: "database/row-cache.ts",
        anchor: "this.#rows.clear();\n      this.#stamp = stamp;",
        replacement: "this.#stamp = stamp;",
      },
    ],
  },
  {
    name: "an edit leaves the words of the bookmark as they were",
    engines: BOTH,
    edits: [
      {
        file: "search/index/entries.ts",
        anchor:
          "if (known.length > 0) await store.remove(sql, tables, ids);\n    await store.add(sql, tables, records, hasWords);",
        replacement: "",
      },
    ],
  },
  {
    name: "the public search finds drafts",
    engines: BOTH,
    edits: [
      { file: "posts/post-matches.ts", anchor: "and p.published = ${isPublished})", replacement: ")" },
      {
        file: "posts/post-pagination.ts",
        anchor: 'where id in ${ids} and published = ${collection === "posts"}`;',
        replacement: "where id in ${ids}`;",
      },
    ],
  },
  {
    name: "a page begins with the last bookmark of the one before",
    engines: BOTH,
    edits: [
      {
        file: "bookmarks/bookmark-store.ts",
        anchor: "where (b.created_at, b.id) < (",
        replacement: "where (b.created_at, b.id) <= (",
      },
    ],
  },
];
