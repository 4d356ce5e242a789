// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source
import type { Mutant } from "./mutant.ts";

const BOTH = ["sqlite", "postgres"] as const;
const SQLITE = ["sqlite"] as const;
const POSTGRES = ["postgres"] as const;
const BOOKMARK_API = "bookmarks/bookmark-api.ts";
const BOOKMARK_WRITER = "bookmarks/bookmark-writer.ts";
const WRITER = "database/sqlite/writer.ts";

/** Mistakes in writes: counters, versions, preconditions, repeats and transactions. */
export const MUTANTS_OF_WRITES: readonly Mutant[] = [
  {
    name: "a new bookmark is counted twice",
    engines: BOTH,
    edits: [{ file: BOOKMARK_WRITER, anchor: "this.#added++;", replacement: "this.#added += 2;" }],
  },
  {
    name: "a deleted bookmark stays in the count",
    engines: BOTH,
    edits: [{ file: BOOKMARK_WRITER, anchor: "this.#added -= deleted.size;", replacement: "" }],
  },
  {
    name: "a published or withdrawn post is counted in one collection only",
    engines: BOTH,
    edits: [
      {
        file: "posts/post-store.ts",
        anchor: `await posts(sql, "posts", createdAt);`,
        replacement: `await countChange(sql, "posts");`,
      },
    ],
  },
  {
    name: "publishing does not raise the version",
    engines: BOTH,
    edits: [
      {
        file: "posts/post-store.ts",
        anchor: "version = version + 1\n    where id = ${read.id} and version = ${read.version} returning",
        replacement:
          "version = version + ${published === read.published ? 1 : 0}\n    where id = ${read.id} and version = ${read.version} returning",
      },
    ],
  },
  {
    name: "a changed description does not raise the version",
    engines: BOTH,
    edits: [
      {
        file: BOOKMARK_WRITER,
        anchor:
          "version = version + 1, digest = ${contentDigest(title, url, description)}\n      where id = ${read.id}",
        replacement:
          "version = version + case when title = ${title} and url = ${url} then 0 else 1 end\n      where id = ${read.id}",
      },
    ],
  },
  {
    name: "If-Match is ignored",
    engines: BOTH,
    edits: [
      {
        file: BOOKMARK_API,
        anchor: "checkPreconditions(request, tagOf(bookmark), withoutCopyPart);\n        const fields",
        replacement: "const fields",
      },
    ],
  },
  {
    name: "If-Match is compared before the transaction",
    engines: BOTH,
    edits: [
      {
        file: BOOKMARK_API,
        anchor: `return writeBookmarks(database, database.clock.now(), (writer, sql) =>
      retryOnConflict(async () => {
        const bookmark = await existing(sql, id);
        checkPreconditions(request, tagOf(bookmark), withoutCopyPart);
        const fields`,
        replacement: `const check = async () => checkPreconditions(request, tagOf(await existing(database.read, id)));
    return check().then(() => writeBookmarks(database, database.clock.now(), (writer, sql) =>
      retryOnConflict(async () => {
        const bookmark = await existing(sql, id);
        const fields`,
      },
      {
        file: BOOKMARK_API,
        anchor: `}),
    );
  }

  async function checkCollection(`,
        replacement: `}),
    ));
  }

  async function checkCollection(`,
      },
    ],
  },
  {
    name: "If-Match is compared after the write",
    engines: BOTH,
    edits: [
      {
        file: BOOKMARK_API,
        anchor: "checkPreconditions(request, tagOf(bookmark), withoutCopyPart);\n        const fields",
        replacement: "before = tagOf(bookmark);\n        const fields",
      },
      {
        file: BOOKMARK_API,
        anchor: `return writeBookmarks(database, database.clock.now(), (writer, sql) =>
      retryOnConflict(async () => {
        const bookmark = await existing(sql, id);`,
        replacement: `let before = "";
    return writeBookmarks(database, database.clock.now(), (writer, sql) =>
      retryOnConflict(async () => {
        const bookmark = await existing(sql, id);`,
      },
      {
        file: BOOKMARK_API,
        anchor: `}),
    );
  }

  async function checkCollection(`,
        replacement: `}),
    ).then((answer) => {
      checkPreconditions(request, before);
      return answer;
    });
  }

  async function checkCollection(`,
      },
    ],
  },
  {
    name: "the version that was read is not compared when it is overwritten",
    engines: POSTGRES,
    edits: [
      {
        file: BOOKMARK_WRITER,
        anchor: "where id = ${read.id} and version = ${read.version} returning version",
        replacement: "where id = ${read.id} returning version",
      },
    ],
  },
  {
    name: "a repeat is answered without comparing its body",
    engines: BOTH,
    edits: [
      {
        file: "http/idempotency.ts",
        anchor: "if (kept.body_sha256 !== bodySha256) {",
        replacement: "if (kept.body_sha256 === undefined) {",
      },
    ],
  },
  {
    name: "an Idempotency-Key is stored outside the transaction of its record",
    engines: BOTH,
    edits: [
      {
        file: "http/idempotency.ts",
        anchor: `return database.write(async (sql) => {
    if (!(await claim(sql, request, now, expired))) return replay(await keptResponse(sql, request), request);
    const response = await work(sql);
    await keep(sql, request, response);
    return response;
  });`,
        replacement: `const [known] = await database.read\`select 1 from idempotency_keys where caller = \${request.caller}
    and path = \${request.path} and key = \${request.key}\`;
  if (known !== undefined) return replay(await keptResponse(database.read, request), request);
  const response = await database.write(work);
  await database.write(async (sql) => {
    await claim(sql, request, now, expired);
    await keep(sql, request, response);
  });
  return response;`,
      },
    ],
  },
  {
    name: "a refused write of a group is not rolled back",
    engines: SQLITE,
    edits: [
      {
        file: WRITER,
        anchor: `if ("error" in outcome && (this.#hasWritten || mayBeDamage(outcome.error))) {`,
        replacement: "if (false) {",
      },
    ],
  },
  {
    name: "a refused write of a group that runs again is not rolled back",
    engines: SQLITE,
    edits: [{ file: WRITER, anchor: "this.#repeatedSql`rollback to piece`;", replacement: "" }],
  },
  {
    name: "a refused write rolls back those before it in its group",
    engines: SQLITE,
    edits: [
      {
        file: WRITER,
        anchor: "else this.#repeat(batch);",
        replacement: `else {
          settle(piece, outcome);
          outcomes.forEach((before, index) => settle(batch[index] as Piece, before));
          this.#repeat(batch.slice(outcomes.length + 1));
        }`,
      },
    ],
  },
  {
    name: "writes are answered before their group is committed",
    engines: SQLITE,
    edits: [
      {
        file: WRITER,
        anchor: `this.#endTransaction(batch.length);
      batch.forEach((piece, index) => {
        settle(piece, outcomes[index]);
      });`,
        replacement: `batch.forEach((piece, index) => {
        settle(piece, outcomes[index]);
      });
      await setImmediate();
      this.#endTransaction(batch.length);`,
      },
    ],
  },
];
