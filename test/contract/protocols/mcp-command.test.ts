import { beforeAll, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { withToken } from "../../support/records/accounts.ts";
import { Agent, PROTOCOL_VERSIONS } from "../../support/requests/agent.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import { describeContract } from "../../support/server/contract.ts";
import { run, temporaryFolder } from "../../support/server/server.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

describeContract("commonplace mcp", (service) => {
  const folder = temporaryFolder();
  const tokenFile = folder.file("token");

  beforeAll(async () => {
    const env = { DATABASE_URL: service.databaseUrl };
    await run(["account", "add", "ada"], { env, stdin: "slow fruit keeps\n" });
    const { stdout } = await run(["token", "create", "ada"], { env });
    writeFileSync(tokenFile, stdout, { mode: 0o600 });
  });

  const relay = (lines: readonly unknown[], more: readonly string[] = ["--url", service.url]) =>
    run(["mcp", "--token-file", tokenFile, ...more], {
      stdin: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
    });
  /** The answers by their ids. */
  const answersTo = async (lines: readonly unknown[]) => {
    const { stdout, stderr, code } = await relay(lines);
    expect([code, stderr]).toEqual([0, ""]);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return new Map(answers.map(({ id, result, error }) => [id, result ?? error]));
  };
  const message = (id: unknown, method: string, params: object = {}) => ({
    jsonrpc: "2.0",
    id,
    method,
    params,
  });
  const calling = (id: unknown, name: string, input: object, more: object = {}) =>
    message(id, "tools/call", { name, arguments: input, ...more });

  test("speaks both versions of the protocol, line by line", async () => {
    const clientInfo = META["io.modelcontextprotocol/clientInfo"];
    const answers = await answersTo([
      message("first", "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo }),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      "",
      message(2, "tools/list"),
      calling(3, "add_link", { url: "https://example.com/", title: "One" }, { _meta: META }),
      message(4, "server/discover", { _meta: META }),
    ]);
    expect([...answers.keys()].toSorted()).toEqual([2, 3, 4, "first"]);
    expect(answers.get("first")).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "commonplace" },
    });
    expect(answers.get(2).tools).toHaveLength(12);
    expect(answers.get(3).structuredContent.id).toBeNumber();
    expect(answers.get(4)).toMatchObject({ supportedVersions: ["2026-07-28"] });
  });

  test("each failure is an answer to its message, and a notification has none", async () => {
    const answers = await answersTo([
      "{",
      "7",
      calling(1, "nö", {}, { _meta: META }),
      calling(2, "read_link", { id: 10 ** 9 }),
      { jsonrpc: "2.0", method: "notifications/nope" },
    ]);
    expect(answers.get(null)).toMatchObject({ code: expect.any(Number) });
    expect(answers.get(1)).toMatchObject({ code: expect.any(Number) });
    expect(answers.get(2)).toMatchObject({ isError: true });
    expect(answers.size).toBe(3);
  });

  test("an invalid token and a server that does not answer are said, and no token is shown", async () => {
    const other = folder.file("other");
    writeFileSync(other, "cmpl_1_wrong", { mode: 0o600 });
    const ended = await relay([message(1, "ping")], ["--token-file", other, "--url", service.url]);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("token") },
    });
    const away = await relay([message(1, "ping")], ["--url", "http://127.0.0.1:9"]);
    expect(JSON.parse(away.stdout)).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining("127.0.0.1:9") },
    });
    expect(ended.stdout + ended.stderr + away.stdout + away.stderr).not.toContain("cmpl_");
  });

  test("two processes answer in turn, and log neither texts nor the token", async () => {
    const other = await service.startAnother({ DATABASE_URL: service.databaseUrl });
    const token = readFileSync(tokenFile, "utf8").trim();
    const sends = [service.send, sendTo(other.url)];
    let count = 0;
    const inTurn: Send = (path, init) => (sends[count++ % 2] ?? service.send)(path, init);
    for (const version of PROTOCOL_VERSIONS) {
      const agent = new Agent(withToken(inTurn, token), version);
      const { id } = await agent.use("add_link", {
        url: `https://turn.example/${version}`,
        title: "Secret words",
      });
      const { link } = await agent.use("read_link", { id });
      await agent.use("edit_link", { id, version: link.version, note: "Secret words" });
      const { next_cursor: cursor } = await agent.use("search_links", {
        query: "secret",
        limit: 1,
        sort: "title",
      });
      if (cursor) await agent.use("search_links", { query: "secret", limit: 1, sort: "title", cursor });
      await agent.fault("edit_link", { id, version: link.version, note: "Secret words" });
    }
    await other.stop();
    const log = other.lines.join("\n");
    expect(log.match(/"path":"\/mcp"/g)?.length).toBeGreaterThan(4);
    expect(log.toLowerCase()).not.toContain("secret");
    expect(log).not.toContain(token);
  });

  test("a file that others can read, and what has no token, are refused", async () => {
    const file = folder.file("refused");
    const refused = async (content: string, mode: number) => {
      writeFileSync(file, content);
      chmodSync(file, mode);
      const { code, stderr } = await relay([], ["--token-file", file, "--url", service.url]);
      return [code, stderr];
    };
    expect(await refused("cmpl_1_x", 0o644)).toEqual([2, expect.stringContaining("chmod 600")]);
    expect(await refused("two words", 0o600)).toEqual([2, expect.stringContaining("has no token")]);
    const none = await relay([], ["--token-file", folder.file("none"), "--url", service.url]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("does not exist")]);
    expect((await relay([], ["--url", "ftp://example.com"])).code).toBe(2);
    const plain = await relay([], ["--url", "http://links.example"]);
    expect([plain.code, plain.stderr]).toEqual([0, expect.stringContaining("not encrypted")]);
  });
});
