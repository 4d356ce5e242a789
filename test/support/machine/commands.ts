import { expect } from "bun:test";
import type { Site } from "../pages/site.ts";
import { type Send, sendTo } from "../requests/send.ts";
import { makeMember } from "../requests/sign-in.ts";
import { type Ran, run } from "../server/server.ts";

/** The command line, on the database of a running server. */
export class Commands {
  readonly #site: Site;
  /** Sends requests to the server. */
  send: Send = () => Promise.reject(new Error("The server is not there yet."));

  constructor(site: Site) {
    this.#site = site;
  }

  async startServer(): Promise<void> {
    this.send = sendTo((await this.#site.serve()).url);
  }

  get env(): Record<string, string> {
    return { DATABASE_URL: this.#site.databaseUrl };
  }

  run(words: readonly string[], stdin?: string): Promise<Ran> {
    return run(words, { env: this.env, ...(stdin !== undefined && { stdin }) });
  }

  /** Makes an account without the command. All accounts here have the same password. */
  async add(username: string): Promise<void> {
    await makeMember(this.#site.database, username);
  }

  /** Makes a token and returns its key. */
  async createToken(username: string, ...flags: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(["token", "create", username, ...flags]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^cmpl_\d+_[0-9a-f]{48}\n$/);
    return stdout.trim();
  }

  accounts(): Promise<AccountRow[]> {
    return this.#rows<AccountRow>("account", "list");
  }

  tokens(username: string): Promise<TokenRow[]> {
    return this.#rows<TokenRow>("token", "list", username);
  }

  async #rows<Row>(...words: string[]): Promise<Row[]> {
    const { code, stdout } = await this.run([...words, "--json"]);
    expect(code).toBe(0);
    return JSON.parse(stdout) as Row[];
  }
}

export interface AccountRow {
  readonly id: number;
  readonly username: string;
  readonly display_name: string;
  readonly created_at: string;
  readonly disabled: boolean;
}

export interface TokenRow {
  readonly id: number;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

/** Checks that a command has failed, with one line of explanation and no other output. */
export function expectRefused(ran: Ran, code: 1 | 2, says: RegExp): void {
  expect(ran.stderr).toMatch(says);
  expect(ran.stderr).toMatch(/^[^\n]+\n$/);
  expect(ran.stdout).toBe("");
  expect(ran.code).toBe(code);
}
