/**
 * The `commonplace` command as tests start it, with what only tests give: as JSON in TEST_GIVEN, which the workers of a
 * server inherit. A run of all tests builds the executable that it tests from this file.
 */
import { give } from "./support/given/given.ts";

give(JSON.parse(process.env.TEST_GIVEN ?? "{}"));
await import("../src/main.ts");
