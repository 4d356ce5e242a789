/** Test files of the full run only, each with one that tests the base form of the same in the short run. */
export const FULL_RUN_FILES: Readonly<Record<string, string>> = {
  "bench/stage.test.ts": "bench/probe.test.ts",
  "test/browser/signing-in.test.ts": "test/browser/docs.test.ts",
  "test/docs/postgres-drills.test.ts": "test/docs/operations.test.ts",
  "test/security/sign-in-flood.test.ts": "src/accounts/sign-in/password.test.ts",
};
