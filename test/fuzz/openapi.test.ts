import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Account } from "../../src/accounts/account.ts";
import type { Database } from "../../src/database/database.ts";
import { openBeside } from "../support/databases/database.ts";
import { useLimits } from "../support/given/use-limits.ts";
import { makeSession, makeToken } from "../support/records/accounts.ts";
import { checkAnyResponse, checkDescribed } from "../support/requests/described-responses.ts";
import {
  type Caller,
  CREDENTIALS,
  type FuzzedRequest,
  fuzzedRequests,
  nameOf,
} from "../support/requests/fuzzed-requests.ts";
import {
  type DocumentedOperation,
  type Operation,
  operationsIn,
  readOpenApi,
} from "../support/requests/openapi.ts";
import { exchange, head, RawConnection } from "../support/requests/raw-http.ts";
import { sendTo } from "../support/requests/send.ts";
import { makeMember } from "../support/requests/sign-in.ts";
import { rounds } from "../support/run/full-run.ts";
import { type Engine, engines } from "../support/server/engines.ts";
import { type RunningServer, startServer } from "../support/server/server.ts";

/** As long as one likes by hand: `FUZZ_RUNS=100000 FUZZ_SEED=7 npx bun test --timeout 9999999 test/fuzz`. */
const RUNS = Number(process.env.FUZZ_RUNS ?? rounds(40, 1_000));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);

useLimits({ commentsPerPost: 5 });

/** Everything open that can be, so that much is reached; the matrix of who may do what has tests of its own. */
const SETTINGS = {
  POSTS_ACCESS: "open",
  COMMENTS: "moderated",
  CORS_ORIGINS: "https://app.example",
  TRUSTED_PROXIES: "127.0.0.1",
};

for (const engine of engines) {
  describe(`Any request (${engine.name})`, () => {
    let site: Fuzzed;
    beforeAll(async () => {
      site = await Fuzzed.start(engine);
    });
    afterAll(() => site.end());

    test(`is answered as documented in the OpenAPI document, and the server keeps running (${RUNS} requests, seed ${SEED})`, async () => {
      const property = fc.asyncProperty(fuzzedRequests(site.places, site.epoch), (request) =>
        site.check(request),
      );
      await fc.assert(property, { seed: SEED, numRuns: RUNS });
      expect(site.server.lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    });
  });
}

/** A server, and one connection to it for as long as it lasts. */
class Fuzzed {
  readonly places: readonly DocumentedOperation[];
  readonly #operations: ReadonlyMap<string, Operation>;
  readonly server: RunningServer;
  readonly #toEnd: AsyncDisposableStack;
  readonly #database: Database;
  readonly #account: Account;
  #connection: RawConnection | undefined;
  #token = "";
  #lesser = "";
  #session = "";

  private constructor(
    places: readonly DocumentedOperation[],
    server: RunningServer,
    database: Database,
    account: Account,
    toEnd: AsyncDisposableStack,
  ) {
    this.places = places;
    this.#operations = new Map(places.map((place) => [nameOf(place), place.operation]));
    this.server = server;
    this.#database = database;
    this.#account = account;
    this.#toEnd = toEnd;
  }

  static async start(engine: Engine): Promise<Fuzzed> {
    const toEnd = new AsyncDisposableStack();
    const { url } = toEnd.use(await engine.createDatabase());
    const server = await startServer({ ...SETTINGS, DATABASE_URL: url });
    toEnd.defer(() => server.kill());
    const database = await openBeside(url);
    toEnd.defer(() => database.close());
    const places = operationsIn(await readOpenApi(sendTo(server.url)));
    return new Fuzzed(places, server, database, await makeMember(database, CREDENTIALS.username), toEnd);
  }

  get epoch(): string {
    return this.#database.epoch;
  }

  async end(): Promise<void> {
    this.#connection?.[Symbol.dispose]();
    await this.#toEnd.disposeAsync();
  }

  async check(request: FuzzedRequest): Promise<void> {
    const { method, target, body, onPath, caller } = request;
    const operation = this.#operations.get(request.operation);
    const fields = { ...request.fields, ...(await this.#credentials(caller)) };
    this.#connection ??= await RawConnection.open(this.server.url);
    const connection = this.#connection;
    try {
      connection.write(head({ method, target, fields, ...(body !== undefined && { body }) }));
      if (body !== undefined) connection.write(body);
      const response = await connection.answer(method);
      if (onPath && operation !== undefined) checkDescribed(response, operation, method);
      else checkAnyResponse(response);
      if (response.fields.some(([name, value]) => name === "connection" && value === "close")) {
        connection[Symbol.dispose]();
        this.#connection = undefined;
      } else await this.#checkFraming(connection);
      await this.#checkCreated(response.status, response.fields);
      if (response.status === 204) this.#forget();
    } catch (error) {
      connection[Symbol.dispose]();
      this.#connection = undefined;
      throw error;
    }
  }

  /** What comes next on the connection is the response to the next request, and nothing that was left over. */
  async #checkFraming(connection: RawConnection): Promise<void> {
    connection.write(head({ method: "GET", target: "/healthz" }));
    const { status, body } = await connection.answer("GET");
    expect({ status, body }, "the next answer").toEqual({ status: 200, body: '{"status":"ok"}' });
  }

  /** What was created is there. */
  async #checkCreated(status: number, fields: readonly (readonly [string, string])[]): Promise<void> {
    const location = fields.find(([name]) => name === "location")?.[1];
    if (status !== 201 || location === undefined) return;
    const credentials = await this.#credentials("token");
    const response = await exchange(this.server.url, {
      method: "GET",
      target: location,
      fields: credentials,
    });
    // A replayed response may name a record that has been deleted since.
    expect(response.status, location).toBeOneOf(
      fields.some(([name]) => name === "idempotency-replayed") ? [200, 404] : [200],
    );
  }

  async #credentials(caller: Caller): Promise<Record<string, string>> {
    switch (caller) {
      case "nobody":
        return {};
      case "token":
        this.#token ||= await makeToken(this.#database, this.#account);
        return { authorization: `Token ${this.#token}` };
      case "lesser":
        this.#lesser ||= await makeToken(this.#database, this.#account, { scopes: ["posts:read"] });
        return { authorization: `Bearer ${this.#lesser}` };
      case "session":
        this.#session ||= await makeSession(this.#database, this.#account);
        return { cookie: this.#session };
      case "impostor":
        return { authorization: "Token cmpl_1_garbage" };
    }
  }

  /** A token may be revoked now, or a session ended. */
  #forget(): void {
    this.#token = "";
    this.#lesser = "";
    this.#session = "";
  }
}
