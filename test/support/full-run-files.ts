/** Test files of the full run only, each with one that tests the base form of the same in the short run. */
export const FULL_RUN_FILES: Readonly<Record<string, string>> = {
  "bench/other-programs.test.ts": "bench/probe.test.ts",
  "bench/stage.test.ts": "bench/probe.test.ts",
  "src/database/move/batches.test.ts": "test/move/round-trip.test.ts",
  "test/browser/docs.test.ts": "src/http/openapi/document.test.ts",
  "test/browser/signing-in.test.ts": "test/web/getting-in-pages.test.ts",
  "test/contract/fresh-reads.test.ts": "test/contract/processes.test.ts",
  "test/contract/whole-pages.test.ts": "test/contract/long-pages.test.ts",
  "test/docs/postgres-drills.test.ts": "test/docs/operations.test.ts",
  "test/metrics/workers.test.ts": "test/metrics/metrics.test.ts",
  "test/move/interrupted.test.ts": "test/move/refusals.test.ts",
  "test/postgres/processes.test.ts": "test/contract/processes.test.ts",
  "test/postgres/standby.test.ts": "test/postgres/start.test.ts",
  "test/search/recreated-index.test.ts": "test/search/damaged-index.test.ts",
  "test/security/sign-in-flood.test.ts": "src/accounts/sign-in/password.test.ts",
  "test/service/proxies.test.ts": "test/contract/posts-links.test.ts",
  "test/web/journey.test.ts": "test/web/getting-in-pages.test.ts",
};
