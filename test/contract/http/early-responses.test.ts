import { describe, expect, test } from "bun:test";
import { useRealTimeLimits } from "../../support/given/real-time-limits.ts";
import { COLLECTION, draft } from "../../support/records/bookmarks.ts";
import { checkProblem } from "../../support/requests/problems.ts";
import { fieldOf, head, RawConnection, type RawRequest } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

useRealTimeLimits();

const LONG = 200_000;
const JSON_TYPE = { "content-type": "application/json" };
const readRoot = head({ method: "GET", target: "/healthz" });

/** Requests that are refused whatever their body says, with the status of the refusal. */
const refused: Readonly<Record<number, RawRequest>> = {
  308: { method: "POST", target: "/bookmarks", fields: JSON_TYPE },
  401: { method: "POST", target: "/api/posts/", fields: JSON_TYPE },
  404: { method: "POST", target: "/nothing", fields: JSON_TYPE },
  405: { method: "PUT", target: COLLECTION, fields: JSON_TYPE },
  413: { method: "POST", target: COLLECTION, fields: { ...JSON_TYPE, "content-length": 2 * LONG } },
  421: { method: "POST", target: COLLECTION, fields: { ...JSON_TYPE, host: "evil.example" } },
};

describeHttp(
  "An answer that is sent before the whole body has arrived",
  (service) => {
    for (const [status, request] of Object.entries(refused)) {
      test(`(${status}) closes the connection, so that a proxy sends nobody else's request on it`, async () => {
        using connection = await RawConnection.open(service.url);
        const length = Number(request.fields?.["content-length"] ?? LONG);
        const fields = { ...request.fields, "content-length": length };
        connection.write(head({ ...request, fields }) + "x".repeat(1_000));
        const { status: answered, fields: answer } = await connection.head();
        expect(answered).toBe(Number(status));
        expect(answer).toContainEqual(["connection", "close"]);
        // What comes behind the body is no request any more.
        connection.write("x".repeat(length - 1_000) + readRoot);
        expect(await connection.closed()).toBeTrue();
      });
    }

    test("reaches a client that reads only after it has sent everything", async () => {
      using connection = await RawConnection.open(service.url);
      const fields = { ...JSON_TYPE, "content-length": 64 * LONG };
      connection.write(head({ method: "POST", target: COLLECTION, fields }));
      for (let sent = 0; sent < 64; sent++) await connection.writeAll(Buffer.alloc(LONG, "x"));
      const response = await connection.answer("POST");
      expect(response).toMatchObject({ status: 413, complete: true });
      checkProblem(JSON.parse(response.body), 413);
      expect(await connection.closed()).toBeTrue();
    });

    test("ends for a client that stops sending as well", async () => {
      using connection = await RawConnection.open(service.url);
      const fields = { ...JSON_TYPE, "content-length": 2 * LONG };
      connection.write(`${head({ method: "POST", target: COLLECTION, fields })}x`);
      expect(await connection.answer("POST")).toMatchObject({ status: 413, complete: true });
      expect(await connection.closed()).toBeTrue();
    });

    test("in chunks that turn out too long closes the connection, too", async () => {
      using connection = await RawConnection.open(service.url);
      const fields = { ...JSON_TYPE, "transfer-encoding": "chunked" };
      const chunk = `${LONG.toString(16)}\r\n${"x".repeat(LONG)}\r\n`;
      connection.write(head({ method: "POST", target: COLLECTION, fields }) + chunk + chunk);
      const { status, fields: answer } = await connection.head();
      expect(status).toBe(413);
      expect(answer).toContainEqual(["connection", "close"]);
      connection.write(`0\r\n\r\n${readRoot}`);
      expect(await connection.closed()).toBeTrue();
    });

    describe("to a request whose method has no body", () => {
      const bodies: Readonly<
        Record<string, readonly [fields: Record<string, string | number>, body: string]>
      > = {
        "of one byte": [{ "content-length": 1 }, "x"],
        "of a long one": [{ "content-length": LONG }, "x".repeat(LONG)],
        "of a chunk": [{ "transfer-encoding": "chunked" }, "1\r\nx\r\n0\r\n\r\n"],
      };
      for (const method of ["GET", "HEAD", "TRACE"])
        test.concurrent(`(${method}) is whole, and closes the connection`, async () => {
          const tried = Object.values(bodies).map(async ([fields, body]) => {
            using connection = await RawConnection.open(service.url);
            await connection.writeAll(Buffer.from(head({ method, target: "/openapi.json", fields })));
            // A packet of its own: at an end that is closed already, it would reset the connection.
            await connection.writeAll(Buffer.from(body));
            const response = await connection.answer(method);
            expect([response.complete, fieldOf(response, "connection")]).toEqual([true, "close"]);
            expect(response.status).toBe(method === "TRACE" ? 405 : 200);
            if (method === "GET") expect(JSON.parse(response.body)).toHaveProperty("openapi");
            expect(await connection.closed()).toBeTrue();
          });
          await Promise.all(tried);
        });
    });
  },
  { BODY_LIMIT: String(LONG) },
);

describeHttp("A refusal whose short body has arrived", (service) => {
  describe("leaves the connection open for the next request:", () => {
    for (const [name, pieces] of Object.entries({ "in one piece": 1, "behind its head": 2 })) {
      test(name, async () => {
        using connection = await RawConnection.open(service.url);
        const body = JSON.stringify({ ...draft, title: "x".repeat(1_000) });
        const start = head({ method: "POST", target: "/api/posts/", fields: JSON_TYPE, body });
        for (let round = 0; round < 2; round++) {
          if (pieces === 1) connection.write(start + body);
          else {
            await connection.writeAll(Buffer.from(start));
            await connection.writeAll(Buffer.from(body));
          }
          const { status, fields } = await connection.answer("POST");
          expect(status).toBe(401);
          expect(fields.map(([field]) => field)).not.toContain("connection");
        }
      });
    }

    test("in a chunk", async () => {
      using connection = await RawConnection.open(service.url);
      const fields = { ...JSON_TYPE, "transfer-encoding": "chunked" };
      for (const method of ["POST", "DELETE"]) {
        connection.write(`${head({ method, target: "/api/posts/", fields })}2\r\n{}\r\n0\r\n\r\n`);
        const response = await connection.answer(method);
        expect([response.complete, fieldOf(response, "connection")]).toEqual([true, undefined]);
        expect(response.status).toBe(method === "POST" ? 401 : 405);
      }
    });
  });
});
