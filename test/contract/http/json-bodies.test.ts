import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { COLLECTION, create } from "../../support/records/bookmarks.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { describeHttp } from "../../support/server/contract.ts";

const FOLDER = join(import.meta.dir, "../../data/json-parsing");
const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

describeHttp("A body of the JSON parsing test suite", (service) => {
  const post = (name: string) =>
    service.send(COLLECTION, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: readFileSync(join(FOLDER, name)),
    });

  test("is one of 318", () => {
    expect(names).toHaveLength(318);
  });

  describe("that is not JSON is 400:", () => {
    for (const name of names.filter((name) => name.startsWith("n_"))) {
      test(name, async () => {
        await expectProblem(await post(name), 400);
      });
    }
  });

  describe("that is JSON, but not a bookmark, is 422:", () => {
    for (const name of names.filter((name) => name.startsWith("y_"))) {
      test(name, async () => {
        await expectProblem(await post(name), 422);
      });
    }
  });

  describe("that a parser may accept or refuse is 400 or 422:", () => {
    for (const name of names.filter((name) => name.startsWith("i_"))) {
      test(name, async () => {
        const response = await post(name);
        expect([400, 422]).toContain(response.status);
        await expectProblem(response, response.status);
      });
    }
  });

  test("does not crash the server", async () => {
    await create(service.send);
    expect((await service.send("/readyz")).status).toBe(200);
  });
});
