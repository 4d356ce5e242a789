/**
 * What `npm test` leaves to `npm run test:all`: the only list of it, besides the tests that ask `full-run.ts`. All else
 * runs on SQLite in `npm test`, and on every engine in `npm run test:all`.
 */

/** The faults are for the full run alone. They run on a real disk. */
export const FAULTS = "test/faults/";

/** The faults that judge delays: they run after all others, and alone. */
export const HURRIED_FAULTS: readonly string[] = [
  "test/faults/clients/misbehaving-clients.test.ts",
  "test/faults/clients/overloaded.test.ts",
  "test/faults/clients/slow-readers.test.ts",
  "test/faults/disks/locked.test.ts",
  "test/faults/kills/backup-killed.test.ts",
  "test/faults/memory/export-memory.test.ts",
  "test/faults/memory/streamed-list.test.ts",
  "test/faults/postgres/fail-over.test.ts",
  "test/faults/postgres/postgres-gone.test.ts",
];

/** The files with a browser: one process has one browser for all of them. */
export const IN_BROWSER: readonly string[] = [
  ...["test/browser/", "test/web/", "test/security/copied-pages", "test/security/rendered-posts"],
];

/** Whole files for the full run, each with one that tests the base form of the same in `npm test`. */
export const FULL_RUN_FILES: Readonly<Record<string, string>> = {
  "bench/other-programs.test.ts": "bench/probe.test.ts",
  "bench/stage.test.ts": "bench/probe.test.ts",
  "test/browser/custom-css.test.ts": "src/web/custom-css/check-style-sheet.test.ts",
  "test/browser/docs.test.ts": "test/contract/http/openapi-document.test.ts",
  "test/browser/hostile-originals.test.ts": "src/copies/shown-original.test.ts",
  "test/browser/signing-in.test.ts": "test/web/getting-in-pages.test.ts",
  "test/build/one-file.test.ts": "test/docs/operations.test.ts",
  "test/clients/ra-data-django-rest-framework.test.ts": "test/docs/clients.test.ts",
  "test/contract/caching/fresh-reads.test.ts": "test/contract/operations/processes.test.ts",
  "test/contract/http/long-pages.test.ts": "test/contract/posts/pages.test.ts",
  "test/contract/operations/compact.test.ts": "test/contract/operations/check.test.ts",
  "test/contract/posts/whole-pages.test.ts": "test/contract/posts/pages.test.ts",
  "test/docs/postgres-drills.test.ts": "test/docs/operations.test.ts",
  "test/metrics/workers.test.ts": "test/metrics/metrics.test.ts",
  "test/move/batches.test.ts": "test/move/round-trip.test.ts",
  "test/move/clients.test.ts": "test/move/round-trip.test.ts",
  "test/move/interrupted.test.ts": "test/move/refusals.test.ts",
  "test/mutants/mutants.test.ts": "test/support/run/tiers.test.ts",
  "test/postgres/processes.test.ts": "test/contract/operations/processes.test.ts",
  "test/postgres/reads-from-standbys.test.ts": "test/postgres/transactions.test.ts",
  "test/postgres/several-hosts.test.ts": "test/postgres/transactions.test.ts",
  "test/postgres/sites-in-schemas.test.ts": "test/postgres/transactions.test.ts",
  "test/postgres/slow-object-store.test.ts": "test/contract/posts/media-beside.test.ts",
  "test/postgres/standby.test.ts": "test/postgres/transactions.test.ts",
  "test/postgres/start.test.ts": "test/postgres/transactions.test.ts",
  "test/postgres/tls.test.ts": "test/postgres/transactions.test.ts",
  "test/security/copied-pages.test.ts": "src/copies/extraction/sanitize-copy.test.ts",
  "test/security/sign-in-flood.test.ts": "src/accounts/sign-in/password.test.ts",
  "test/service/pooler.test.ts": "test/postgres/transactions.test.ts",
  "test/service/proxies.test.ts": "test/contract/posts/links.test.ts",
  "test/service/unix-socket.test.ts": "src/http/client/client.test.ts",
  "test/service/workers.test.ts": "test/contract/operations/processes.test.ts",
  "test/shell/npm-start.test.ts": "test/contract/operations/stopping.test.ts",
  "test/shell/signals.test.ts": "test/contract/operations/stopping.test.ts",
  "test/support/run/ended-runs.test.ts": "test/support/run/share-files.test.ts",
  "test/support/run/failed-again.test.ts": "test/support/run/share-files.test.ts",
  "test/support/run/goes-wrong.test.ts": "test/support/run/share-files.test.ts",
  "test/support/run/never-ends.test.ts": "test/support/run/share-files.test.ts",
  "test/web/hostile-pages.test.ts": "test/security/rendered-posts.test.ts",
  "test/web/journey.test.ts": "test/web/getting-in-pages.test.ts",
  "test/web/layout.test.ts": "test/web/blog-pages.test.ts",
  "test/web/phone.test.ts": "test/web/library-pages.test.ts",
  "test/web/selecting.test.ts": "test/web/library-pages.test.ts",
  "test/web/tag-fields.test.ts": "test/web/library-pages.test.ts",
};

/**
 * The files that `npm test` runs on PostgreSQL, too, each with what is of its own there. What is not, a file tests with
 * `once`, and `npm test` runs it on SQLite alone.
 */
export const ON_POSTGRES: Readonly<Record<string, string>> = {
  "src/copies/keep-copy.test.ts": "limits of copies hold by a locked row",
  "test/access/equal-engines.test.ts": "every route answers as on SQLite",
  "test/contract/agents/undo-day.test.ts": "of several who undo the same, each waits for the rows",
  "test/contract/bookmarks/bookmarks.test.ts": "writes, totals and versions",
  "test/contract/imports/engines.test.ts": "imports write rows in batches",
  "test/contract/library/site-icons.test.ts": "icons are bytes of its own kind",
  "test/contract/operations/check.test.ts": "checks of its own",
  "test/contract/operations/job-runner.test.ts": "jobs are leased with SKIP LOCKED",
  "test/contract/operations/read-only-by-choice.test.ts": "sessions that only read",
  "test/contract/posts/idempotency.test.ts": "keys are claimed by a unique index",
  "test/contract/posts/media-beside.test.ts": "objects are announced and removed by locked rows",
  "test/contract/posts/posts.test.ts": "writes, totals and versions",
  "test/contract/search/search.test.ts": "the index is compiled to other SQL",
  "test/contract/search/syntax.test.ts": "queries are compiled to other SQL",
  "test/contract/tags/tags.test.ts": "counts of tags",
  "test/contract/undoing.test.ts": "two undos at once take locked rows",
  "test/metrics/database.test.ts": "metrics of its pool",
  "test/metrics/monitoring.test.ts": "metrics of its pool",
  "test/move/contents.test.ts": "values as both engines store them",
  "test/move/every-column.test.ts": "every column moves to it and back",
  "test/move/refusals.test.ts": "its refusals",
  "test/move/round-trip.test.ts": "every record moves to it and back",
  "test/postgres/deadlocked-reads.test.ts": "deadlocks",
  "test/postgres/engine.test.ts": "what the start tries",
  "test/postgres/forbidden-constructs.test.ts": "what its schema may not have",
  "test/postgres/imports.test.ts": "imports on small servers",
  "test/postgres/unusable.test.ts": "databases that it cannot use",
  "test/postgres/schema.test.ts": "its schema has the same tables",
  "test/postgres/transactions.test.ts": "conflicts and retries",
  "test/postgres/values.test.ts": "values that it refuses or stores otherwise",
  "test/search/equal-engines.test.ts": "finds the same in the same order",
  "test/upgrade/steps.test.ts": "steps of its own",
};

/**
 * Every file of `src/` with code for PostgreSQL alone, and the test on PostgreSQL that fails first when it is wrong: one
 * of `npm test`, but for what needs several servers.
 */
export const TESTED_ON_POSTGRES: Readonly<Record<string, string>> = {
  "src/checks/postgres-checks.ts": "test/contract/operations/check.test.ts",
  "src/database/ids/postgres-ids.ts": "test/postgres/values.test.ts",
  "src/database/move/postgres-endpoint.ts": "test/move/round-trip.test.ts",
  "src/database/move/postgres-ends.ts": "test/move/refusals.test.ts",
  "src/database/postgres/connect.ts": "test/postgres/unusable.test.ts",
  "src/database/postgres/errors.ts": "src/database/postgres/errors.test.ts",
  "src/database/postgres/hosts.ts": "test/postgres/several-hosts.test.ts",
  "src/database/postgres/inspection.ts": "test/contract/operations/check.test.ts",
  "src/database/postgres/location.ts": "test/postgres/unusable.test.ts",
  "src/database/postgres/pool.ts": "test/postgres/transactions.test.ts",
  "src/database/postgres/postgres.ts": "test/postgres/transactions.test.ts",
  "src/database/postgres/prepare-schema.ts": "test/postgres/unusable.test.ts",
  "src/database/postgres/probe-engine.ts": "test/postgres/engine.test.ts",
  "src/database/postgres/semaphore.ts": "test/postgres/transactions.test.ts",
  "src/database/postgres/single-flight.ts": "src/database/postgres/single-flight.test.ts",
  "src/database/postgres/stamp.ts": "test/access/equal-engines.test.ts",
  "src/database/postgres/standbys.ts": "test/postgres/reads-from-standbys.test.ts",
  "src/database/postgres/timeouts.ts": "test/postgres/transactions.test.ts",
  "src/database/postgres/transaction.ts": "test/postgres/transactions.test.ts",
  "src/database/postgres/why-unusable.ts": "test/postgres/unusable.test.ts",
  "src/database/upgrade/postgres-upgrade.ts": "test/upgrade/steps.test.ts",
  "src/search/index/postgres-document.ts": "test/contract/search/syntax.test.ts",
  "src/search/index/postgres-index.ts": "test/search/equal-engines.test.ts",
  "src/search/query/postgres-query.ts": "test/contract/search/syntax.test.ts",
};

/**
 * How long files take in `npm test` where no run has measured them yet, as in CI, in seconds beside others on two cores: no process
 * shall begin a long one when the others are nearly done. A full run needs no such list: it takes the times of `npm test`.
 */
export const USUAL_TIMES: {
  readonly longest: Readonly<Record<string, number>>;
  /** About what any other file takes. */
  readonly others: number;
} = {
  longest: {
    "src/database/sqlite/threads/reader-threads.test.ts": 6,
    "src/http/dispatch.test.ts": 8,
    "src/http/server.test.ts": 9,
    "src/readers/html/replace-between.test.ts": 6,
    "src/transfer/import/import-bookmarks.test.ts": 5,
    "test/access/equal-engines.test.ts": 8,
    "test/access/matrix.test.ts": 4,
    "test/access/one-snapshot.test.ts": 9,
    "test/access/owners.test.ts": 6,
    "test/browser/kept-words.test.ts": 10,
    "test/browser/pictures.test.ts": 7,
    "test/browser/writing.test.ts": 9,
    "test/contract/exports/whole-site.test.ts": 6,
    "test/contract/http/openapi-promises.test.ts": 5,
    "test/contract/imports/command.test.ts": 6,
    "test/contract/imports/first-readings.test.ts": 6,
    "test/contract/imports/reading-apart.test.ts": 8,
    "test/contract/library/site-icons.test.ts": 4,
    "test/contract/operations/backup.test.ts": 8,
    "test/contract/posts/media-beside.test.ts": 9,
    "test/contract/undoing.test.ts": 6,
    "test/fuzz/openapi.test.ts": 6,
    "test/postgres/transactions.test.ts": 10,
    "test/search/odd/odd-matches.test.ts": 6,
    "test/security/rendered-posts.test.ts": 7,
    "test/upgrade/steps.test.ts": 6,
    "test/web/blog-pages.test.ts": 6,
    "test/web/getting-in-pages.test.ts": 8,
    "test/web/library-pages.test.ts": 9,
    "test/web/unchanged-save.test.ts": 5,
  },
  others: 0.7,
};
