import { expect, test } from "bun:test";
import { VERSION } from "../../src/version.ts";
import { describeContract } from "../support/contract.ts";
import { openBeside } from "../support/database.ts";
import { expectProblem } from "../support/problems.ts";
import { sendTo } from "../support/send.ts";

describeContract("The health of the service", (service) => {
  for (const path of ["/healthz", "/readyz"]) {
    test(`is told at ${path}: 200, and nobody keeps the answer`, async () => {
      const response = await service.send(path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: "ok" });
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    });
  }

  test("is not ready, but alive, as long as the schema needs a newer program", async () => {
    const DATABASE_URL = await service.createDatabase();
    const send = sendTo((await service.startAnother({ DATABASE_URL })).url);
    const database = await openBeside(DATABASE_URL);
    const oldest = (version: string) =>
      database.write((sql) => sql`update meta set value = ${version} where name = 'oldest_program'`);

    await oldest("99.0.0");
    await expectProblem(await send("/readyz"), 503);
    expect((await send("/healthz")).status).toBe(200);
    await oldest(VERSION);
    expect((await send("/readyz")).status).toBe(200);
    await database.close();
  });
});
