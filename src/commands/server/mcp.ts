import { readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { Command } from "commander";
import { readSetting } from "../../config/read-config.ts";
import { messageOf, StartError } from "../../errors.ts";
import { hostName, isLoopback } from "../../http/guards/hosts.ts";
import { reasonOf } from "../files/file-errors.ts";
import { print, printRemark } from "../terminal/print.ts";
import { baseUrl } from "./welcome-text.ts";

interface Flags {
  readonly tokenFile: string;
  readonly url?: string;
}

/** `commonplace mcp`: a server of this address for agents that start a command instead of sending requests. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .description("Connect an agent to the server, through standard input and output.")
    .requiredOption("--token-file <file>", "a file with the agent's token, which nobody else may read")
    .option("--url <url>", "the address of the server (default: PUBLIC_URL, or this machine and PORT)")
    .action(async ({ tokenFile, url }: Flags) => {
      const own = () => baseUrl(readSetting("host", process.env), readSetting("port", process.env));
      const relay = new Relay(
        addressOf(url ?? readSetting("publicUrl", process.env) ?? own()),
        tokenIn(tokenFile),
      );
      await Array.fromAsync(createInterface({ input: process.stdin }), (line) => relay.begin(line));
      await relay.end();
    });
}

function addressOf(url: string): URL {
  const address = URL.parse("/mcp", url);
  if (address === null || !/^https?:$/.test(address.protocol))
    throw new StartError("--url: an address such as https://links.example.com.", 2);
  if (address.protocol === "http:" && !isLoopback(hostName(address.host) ?? ""))
    printRemark(`commonplace: ${address.origin} is not encrypted: others on the network can read the token.`);
  return address;
}

/** @throws StartError for a file that others can read: it would be no secret */
function tokenIn(path: string): string {
  try {
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      throw new StartError(`Others can read ${path}. Run: chmod 600 ${path}`, 2);
    const token = readFileSync(path, "utf8").trim();
    if (/^[\x21-\x7e]{1,500}$/.test(token)) return token;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${path} ${reasonOf(error as Error, "read")}.`, 2, error);
  }
  throw new StartError(`${path} has no token. Its content is what \`commonplace token create\` prints.`, 2);
}

/** A message of JSON-RPC 2.0, as far as its headers are made of it. */
interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
}

/** Sends each line as a request, and prints each response as a line. */
class Relay {
  readonly #address: URL;
  readonly #token: string;
  readonly #open = new Set<Promise<void>>();
  /** The version that `initialize` has agreed on; later messages do not say it. */
  #version: unknown;

  constructor(address: URL, token: string) {
    this.#address = address;
    this.#token = token;
  }

  begin(line: string): void {
    if (line.trim() === "") return;
    const sent: Promise<void> = this.#send(line).finally(() => this.#open.delete(sent));
    this.#open.add(sent);
  }

  async end(): Promise<void> {
    await Promise.all(this.#open);
  }

  async #send(line: string): Promise<void> {
    const message = parsed(line);
    const answer = await this.#ask(line, message);
    // A notification has no answer, not even of a failure.
    if (answer === undefined || (message !== undefined && message.id === undefined)) return;
    if (message?.method === "initialize") this.#version = answer.result?.protocolVersion;
    await print(JSON.stringify({ ...answer, id: message?.id ?? null }));
  }

  async #ask(line: string, message: Message | undefined): Promise<Message | undefined> {
    try {
      // Never sends the token elsewhere.
      const sending = {
        method: "POST",
        headers: this.#headersOf(message),
        body: line,
        redirect: "error",
      } as const;
      const response = await fetch(this.#address, sending);
      const body = await response.text();
      if (body === "") return undefined;
      return parsed(body) ?? failure(`${this.#address} answered ${response.status}, and no JSON.`);
    } catch (error) {
      return failure(`${this.#address} does not answer: ${messageOf(error)}`);
    }
  }

  #headersOf(message: Message | undefined): Record<string, string> {
    const own = message?.params?._meta?.["io.modelcontextprotocol/protocolVersion"];
    const version = own ?? this.#version;
    const { name } = message?.params ?? {};
    return {
      authorization: `Bearer ${this.#token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(isHeader(version) && { "mcp-protocol-version": version }),
      ...(own !== undefined && isHeader(message?.method) && { "mcp-method": message.method }),
      ...(own !== undefined && isHeader(name) && { "mcp-name": name }),
    };
  }
}

function parsed(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function failure(message: string): Message {
  return { jsonrpc: "2.0", error: { code: -32000, message } } as Message;
}

function isHeader(value: unknown): value is string {
  return typeof value === "string" && /^[\x20-\x7e]+$/.test(value);
}
