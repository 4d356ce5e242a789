import { expect, test } from "bun:test";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { until } from "../../support/machine/until.ts";
import { COLLECTION, draft, list } from "../../support/records/bookmarks.ts";
import { head, RawConnection } from "../../support/requests/raw-http.ts";
import { describeContract } from "../../support/server/contract.ts";

useRealTimeLimits();

const fields = { "content-type": "application/json", "idempotency-key": "half-closed" };
const body = JSON.stringify(draft);

describeContract("A client that half-closes its connection after a whole request", (service) => {
  test("gets the effect once, and the response by repeating it with its key", async () => {
    using connection = await RawConnection.open(service.url);
    connection.write(head({ method: "POST", target: COLLECTION, fields, body }) + body);
    connection.finish();
    // When the client closes its side, the runtime still sends a response only if it is complete.
    const response = await connection.answer("POST").catch(() => undefined);
    if (response !== undefined) expect(response).toMatchObject({ status: 201, complete: true });
    await until("it is stored", async () => (await list(service.send)).length === 1);
    const again = await service.send(COLLECTION, { method: "POST", headers: fields, body });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await list(service.send)).toHaveLength(1);
  });

  test("discards half a request", async () => {
    const before = await list(service.send);
    using connection = await RawConnection.open(service.url);
    connection.write(head({ method: "POST", target: COLLECTION, fields, body }) + body.slice(0, -1));
    connection.finish();
    expect(await connection.closed()).toBeTrue();
    expect(await list(service.send)).toEqual(before);
  });
});
