import { describe, expect, test } from "bun:test";
import { COLLECTION, create, draft, list, pathOf } from "../../support/records/bookmarks.ts";
import { checkProblem, expectErrors, expectProblem } from "../../support/requests/problems.ts";
import { exchange, head, RawConnection } from "../../support/requests/raw-http.ts";
import { describeHttp } from "../../support/server/contract.ts";

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = { "content-type": "application/json" };
const valid = JSON.stringify(draft);

describeHttp("A body", (service) => {
  const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
    service.send(COLLECTION, { method: "POST", headers, body });

  describe("is taken with Content-Type", () => {
    for (const type of [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      'application/json;charset="UTF-8"',
      "application/json ; charset=utf-8; profile=x",
    ]) {
      test(type, async () => {
        expect((await post(valid, { "content-type": type })).status).toBe(201);
      });
    }
  });

  describe("is refused with 415 when its Content-Type is", () => {
    for (const type of [
      "text/plain",
      "text/json",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonp",
      "application/json-patch+json",
      "application/problem+json",
      "application/merge-patch+json",
      "application/json, text/plain",
      "*/*",
      "json",
    ]) {
      test(`${type}, for POST and PUT`, async () => {
        const headers = { "content-type": type };
        await expectProblem(await post(valid, headers), 415);
        const path = pathOf(await create(service.send));
        await expectProblem(await service.send(path, { method: "PUT", headers, body: valid }), 415);
      });
    }

    test("right, but the body is encoded: Accept-Encoding lists the supported codings", async () => {
      for (const coding of ["gzip", "br", "GZIP", "identity, gzip", "unknown"]) {
        const headers = { "content-type": "application/json", "content-encoding": coding };
        const response = await post(valid, headers);
        expect(response.headers.get("accept-encoding")).toBe("identity");
        await expectProblem(response, 415);
      }
      const headers = { "content-type": "application/json", "content-encoding": "Identity" };
      expect((await post(valid, headers)).status).toBe(201);
    });

    test("not there", async () => {
      const response = await exchange(service.url, { method: "POST", target: COLLECTION, body: valid });
      expect(response.status).toBe(415);
      checkProblem(JSON.parse(response.body), 415);
    });

    test("text/plain, for PATCH, with what it takes in Accept-Patch", async () => {
      const path = pathOf(await create(service.send));
      const headers = { "content-type": "text/plain" };
      const response = await service.send(path, { method: "PATCH", headers, body: valid });
      expect(response.headers.get("accept-patch")).toBe("application/merge-patch+json, application/json");
      await expectProblem(response, 415);
    });
  });

  describe("is refused with 400", () => {
    const broken: Record<string, string | Uint8Array> = {
      "when it is empty": "",
      "when it is not JSON": "title=x",
      "when it ends too early": valid.slice(0, -1),
      "when something follows": `${valid}x`,
      "when it has a trailing comma": `${valid.slice(0, -1)},}`,
      "when it has single quotes": valid.replaceAll('"', "'"),
      "when it has a comment": `${valid}// a comment`,
      "when it is not UTF-8": Buffer.concat([
        Buffer.from('{"title":"'),
        Buffer.from([0xff]),
        Buffer.from('"}'),
      ]),
      "when it is Latin-1": Buffer.from(valid.replace("page", "p\u00e4ge"), "latin1"),
      "when it is UTF-16": Buffer.from(valid, "utf16le"),
      "when it has a surrogate encoded as bytes": Buffer.concat([
        Buffer.from('{"title":"'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
      "when it has an overlong encoding": Buffer.concat([
        Buffer.from('{"title":"'),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from('"}'),
      ]),
      "when it begins with a byte-order mark": `\ufeff${valid}`,
    };
    for (const [description, body] of Object.entries(broken)) {
      test(description, async () => {
        await expectProblem(await post(body), 400);
        const path = pathOf(await create(service.send));
        for (const method of ["PUT", "PATCH"]) {
          await expectProblem(await service.send(path, { method, headers: JSON_TYPE, body }), 400);
        }
      });
    }
  });

  describe("may have as many bytes as the limit, and not one more:", () => {
    test("1 MiB, unless another limit is set", async () => {
      expect((await post(padded(MEBIBYTE))).status).toBe(201);
      const { detail } = await expectProblem(await post(padded(MEBIBYTE + 1)), 413);
      expect(detail).toContain("1048576");
    });

    test("the same in chunks", async () => {
      expect((await postChunks(service.url, padded(MEBIBYTE))).status).toBe(201);
      const { status, body } = await postChunks(service.url, padded(MEBIBYTE + 1));
      expect(status).toBe(413);
      checkProblem(JSON.parse(body), 413);
    });

    test("the same for PUT and PATCH", async () => {
      const path = pathOf(await create(service.send));
      for (const method of ["PUT", "PATCH"]) {
        const send = (size: number) => service.send(path, { method, headers: JSON_TYPE, body: padded(size) });
        expect((await send(MEBIBYTE)).status).toBe(200);
        await expectProblem(await send(MEBIBYTE + 1), 413);
      }
    });

    test("BODY_LIMIT sets another", async () => {
      const app = await service.startApp({ BODY_LIMIT: "1KiB" });
      const send = (size: number) =>
        app.request(COLLECTION, { method: "POST", headers: JSON_TYPE, body: padded(size) });
      expect((await send(1024)).status).toBe(201);
      await expectProblem(await send(1025), 413);
    });

    test("a longer Content-Length is refused before the body is sent", async () => {
      using connection = await RawConnection.open(service.url);
      const fields = { ...JSON_TYPE, "content-length": MEBIBYTE + 1 };
      connection.write(head({ method: "POST", target: COLLECTION, fields }));
      // The end of the response waits for the body.
      expect((await connection.head()).status).toBe(413);
    });

    test("a client that sends far more still gets the response", async () => {
      await expectProblem(await post(padded(16 * MEBIBYTE)), 413);
      expect((await postChunks(service.url, padded(16 * MEBIBYTE))).status).toBe(413);
    });
  });

  test("in chunks is taken like any other", async () => {
    const { status, body } = await postChunks(service.url, Buffer.from(valid), 3);
    expect(status).toBe(201);
    expect(JSON.parse(body)).toMatchObject(draft);
    expect((await postChunks(service.url, Buffer.from(valid.slice(1)), 3)).status).toBe(400);
  });

  test("that never ends stores nothing", async () => {
    const before = await list(service.send);
    for (const framing of [{ "content-length": valid.length + 1 }, { "transfer-encoding": "chunked" }]) {
      using connection = await RawConnection.open(service.url);
      connection.write(head({ method: "POST", target: COLLECTION, fields: { ...JSON_TYPE, ...framing } }));
      connection.write("content-length" in framing ? valid : chunkOf(Buffer.from(valid)));
      connection.finish();
      await connection.closed();
    }
    expect(await list(service.send)).toEqual(before);
  });

  test("is ignored by an operation without one", async () => {
    const bookmark = await create(service.send);
    const request = { target: pathOf(bookmark), body: "not JSON", fields: { "content-type": "text/plain" } };
    expect((await exchange(service.url, { method: "GET", ...request })).status).toBe(200);
    expect((await exchange(service.url, { method: "DELETE", ...request })).status).toBe(204);
  });

  test("with a repeated member has its last value", async () => {
    const response = await post(`{"title":"first","url":"${draft.url}","title":"last"}`);
    expect(await response.json()).toMatchObject({ title: "last" });
  });

  test("may have a thousand members of different names, and not one more: they could be chosen to collide", async () => {
    const more = (count: number) => Array.from({ length: count }, (_, index) => [`member${index}`, {}]);
    const { title, url } = draft;
    const bodyOf = (count: number) =>
      JSON.stringify({ title, url, more: Object.fromEntries(more(count - 3)) });
    expect((await post(bodyOf(1_000))).status).toBe(201);
    const refused = await expectProblem(await post(bodyOf(1_001)), 400);
    expect(refused.detail).toContain("too many distinct member names");
    const json = Object.fromEntries(more(50_000));
    expect((await service.send("/api/token/", { method: "POST", json })).status).toBe(400);
  });

  test("may have many thousand members with a few names, but not with many names", async () => {
    const records = (count: number, names: number) => {
      const record = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name${index}`, 0]));
      return JSON.stringify({ ...draft, more: Array.from({ length: count }, () => record) });
    };
    expect((await post(records(10_000, 6))).status).toBe(201);
    await expectProblem(await post(records(500, 100)), 400);
    expect((await post(`[${'{"":0},'.repeat(100_000)}{}]`)).status).toBe(422);
  });

  test("may have any number of colons in its texts, escaped or not", async () => {
    for (const description of [":".repeat(9_000), '":"\\":'.repeat(2_000), "\\".repeat(5_000)]) {
      const response = await post(JSON.stringify({ ...draft, description }));
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ description });
    }
  });

  test("of endlessly nested JSON is refused, and the server keeps running", async () => {
    for (const body of ["[".repeat(500_000), `${"[".repeat(500_000)}${"]".repeat(500_000)}`]) {
      expect([400, 422]).toContain((await post(body)).status);
    }
    await expectErrors(await post("[[]]"), { pointer: "", code: "wrong_type" });
  });
});

/** A valid body of exactly this many bytes, made up with white space. */
function padded(size: number): Buffer {
  return Buffer.from(valid.padEnd(size));
}

async function postChunks(url: string, body: Buffer, size = 64 * 1024) {
  using connection = await RawConnection.open(url);
  const fields = { ...JSON_TYPE, "transfer-encoding": "chunked" };
  connection.write(head({ method: "POST", target: COLLECTION, fields }));
  for (let start = 0; start < body.length; start += size) {
    connection.write(chunkOf(body.subarray(start, start + size)));
  }
  connection.write("0\r\n\r\n");
  return await connection.answer("POST");
}

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
}
