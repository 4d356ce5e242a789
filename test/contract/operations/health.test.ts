import { expect, test } from "bun:test";
import { nameOf, SCHEMA } from "../../../src/database/schema/schema.ts";
import { openBeside } from "../../support/databases/database.ts";
import { expectProblem } from "../../support/requests/problems.ts";
import { exchange, RawConnection } from "../../support/requests/raw-http.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("The health of the service", (service) => {
  for (const path of ["/healthz", "/readyz"]) {
    test(`is reported at ${path}: 200, not cacheable`, async () => {
      const response = await service.send(path);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({ status: "ok" });
      expect(response.headers.get("cache-control")).toBe("private, no-store");
    });
  }

  for (const path of ["/healthz", "/readyz"]) {
    test(`is reported at ${path} to a load balancer with any or no host (HTTP/1.0)`, async () => {
      using connection = await RawConnection.open(service.url);
      connection.write(`GET ${path} HTTP/1.0\r\n\r\n`);
      const response = await connection.answer("GET");
      expect(response).toMatchObject({ status: 200, body: '{"status":"ok"}' });
      expect(await connection.closed()).toBeTrue();
      for (const host of ["10.0.0.7:8000", "links.example.com", "no host at all", ""]) {
        const probe = { method: "GET", target: path, fields: { host } };
        expect((await exchange(service.url, probe)).status).toBe(200);
      }
    });
  }

  test("is not ready, but alive, while it has the schema of another version", async () => {
    const DATABASE_URL = await service.createDatabase();
    const send = sendTo((await service.serveAnother({ DATABASE_URL })).url);
    const database = await openBeside(DATABASE_URL);
    const nameSchema = (id: string) =>
      database.write((sql) => sql`update meta set value = ${id} where name = 'schema'`);

    await nameSchema("later");
    await expectProblem(await send("/readyz"), 503);
    expect((await send("/healthz")).status).toBe(200);
    await nameSchema(nameOf(SCHEMA));
    expect((await send("/readyz")).status).toBe(200);
    await database.close();
  });
});
