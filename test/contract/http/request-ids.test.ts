import { expect, test } from "bun:test";
import { create } from "../../support/records/bookmarks.ts";
import { exchange, fieldOf } from "../../support/requests/raw-http.ts";
import { sendTo } from "../../support/requests/send.ts";
import { describeHttp } from "../../support/server/contract.ts";

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

describeHttp("X-Request-Id", (service) => {
  const idFor = async (given?: string, target = "/bookmarks/") => {
    const fields = given === undefined ? {} : { "x-request-id": given };
    return fieldOf(await exchange(service.url, { method: "GET", target, fields }), "x-request-id");
  };

  for (const given of ["a", "7", "2026-11-21.request_7", "x".repeat(128), "..", "-"]) {
    test(`is the client's own if that is valid: ${given}`, async () => {
      expect(await idFor(given)).toBe(given);
      expect(await idFor(given, "/nothing")).toBe(given);
    });
  }

  for (const given of ["", " ", "a b", "x".repeat(129), "é", "a/b", "a,b", '"a"', "<script>", "a;b", "%0a"]) {
    test(`is a new one if the client's is invalid: "${given}"`, async () => {
      const id = await idFor(given);
      expect(id).toMatch(SANE);
      expect(id).not.toBe(given);
    });
  }

  test("is unique if the client sends none", async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => idFor()));
    for (const id of ids) expect(id).toMatch(SANE);
    expect(new Set(ids).size).toBe(50);
  });
});

describeHttp("The log", (service) => {
  test("has one line of JSON for each request, with the id that the response had", async () => {
    const server = await service.startAnother();
    const send = sendTo(server.url);
    const before = Date.now();
    const { id } = await create(send, {}, { headers: { "x-request-id": "the-first" } });
    const second = await send(`/bookmarks/${id}?x=1`);
    const third = await send("/nothing/%0a%1b[31m", { headers: { "x-request-id": "the-third" } });
    await server.stop();

    const lines = requestLines(server.lines);
    expect(lines).toEqual([
      expect.objectContaining({ request_id: "the-first", method: "POST", path: "/bookmarks/", status: 201 }),
      expect.objectContaining({
        request_id: second.headers.get("x-request-id") ?? "",
        method: "GET",
        path: `/bookmarks/${id}`,
        status: 200,
      }),
      expect.objectContaining({ request_id: "the-third", status: 404 }),
    ]);
    expect(third.status).toBe(404);
    for (const line of lines) {
      expect(Date.parse(String(line.time))).toBeWithin(before, Date.now() + 1);
      expect(line.ms).toBeNumber();
    }
  });

  test("contains no secrets: no query, no header, no body, no database password", async () => {
    const server = await service.startAnother();
    const send = sendTo(server.url);
    await create(
      send,
      { title: "secret-title", url: "https://user:secret-password@example.com/", description: "secret-text" },
      { headers: { authorization: "Basic secret-token", cookie: "session=secret-cookie" } },
    );
    await send("/bookmarks/?cursor=secret-cursor&token=secret-query");
    const idempotent = { "idempotency-key": "secret-key" };
    await create(send, {}, { headers: idempotent });
    await server.stop();
    expect(requestLines(server.lines)).toHaveLength(3);
    expect(server.lines.join("\n")).not.toContain("secret");
  });
});

function requestLines(lines: readonly string[]): Record<string, unknown>[] {
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => "request_id" in line);
}
