import type { Send } from "./send.ts";

/** The version of the protocol in which an agent speaks. */
export const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25"] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** What a tool answered. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: tools answer with different members
  readonly structuredContent: any;
}

/** Sends messages of the Model Context Protocol, as its clients do. */
export class Agent {
  readonly #send: Send;
  readonly #version: ProtocolVersion;

  constructor(send: Send, version: ProtocolVersion = "2026-07-28") {
    this.#send = send;
    this.#version = version;
  }

  message(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Response> {
    const version = this.#version;
    const isModern = version === "2026-07-28";
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const named = isModern && params.name !== undefined ? { "mcp-name": String(params.name) } : {};
    return this.#send("/mcp", {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": version,
        ...(isModern && { "mcp-method": method, ...named }),
      },
      json: { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(isModern && { _meta }) } },
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: methods answer with different members
  async ask(method: string, params?: Readonly<Record<string, unknown>>): Promise<any> {
    const response = await this.message(method, params);
    const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
    if (result === undefined) throw new Error(`${response.status} ${JSON.stringify(error)}`);
    return result;
  }

  call(name: string, input: object = {}): Promise<ToolResult> {
    return this.ask("tools/call", { name, arguments: input });
  }

  /** What a tool answers that does not fail. */
  async use(name: string, input?: object): Promise<ToolResult["structuredContent"]> {
    const { isError, content, structuredContent } = await this.call(name, input);
    if (isError) throw new Error(content[0]?.text);
    return structuredContent;
  }

  /** The words of a tool that fails. */
  async fault(name: string, input?: object): Promise<string> {
    const { isError, content } = await this.call(name, input);
    if (!isError) throw new Error(`${name} did not fail: ${content[0]?.text}`);
    return content[0]?.text ?? "";
  }
}
