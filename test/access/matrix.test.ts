import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Account } from "../../src/accounts/account.ts";
import type { Scope } from "../../src/accounts/scope.ts";
import { createApp, createRoutes } from "../../src/app/app.ts";
import { openOptionsFrom } from "../../src/config/config.ts";
import { readConfig } from "../../src/config/read-config.ts";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open.ts";
import { Log } from "../../src/log.ts";
import { isSlug, RESERVED_SLUGS } from "../../src/records/slug.ts";
import { saveSite } from "../../src/web/site/site-store.ts";
import { makeAccount } from "../support/records/accounts.ts";
import { casesOf, isFullRun, oneOfEach } from "../support/run/full-run.ts";
import { TEST_SETTINGS } from "../support/server/app.ts";
import { type Engine, engines } from "../support/server/engines.ts";
import { CALLERS, type Caller, FOREIGN_CALLERS, ODD_CALLERS, OWN_PAGE } from "./callers.ts";
import { Changes } from "./changes.ts";
import { fill, type Make, WORDS } from "./records.ts";
import { requestOf } from "./requests.ts";
import { ROWS, type Row } from "./rows.ts";
import { audienceOf, dependsOn, type Outcome, outcomeOf, RULES, type Setting } from "./rules.ts";
import { SERVERS, type Server } from "./settings.ts";

test("The matrix of access has a row for every route, and no other", async () => {
  const config = readConfig({ COMMENTS: "open" });
  const routes = await createRoutes({ config, database: {} as Database });
  const there = Object.entries(routes).flatMap(([path, resource]) =>
    Object.keys(resource).map((method) => `${method} ${path}`),
  );
  const rows = new Set(ROWS.map(({ method, path }) => `${method} ${path}`));
  expect([...rows].toSorted()).toEqual(there.toSorted());
});

test("No page of the site can have the first segment of a route as its slug", async () => {
  const config = readConfig({ COMMENTS: "open" });
  const routes = await createRoutes({ config, database: {} as Database });
  const segments = Object.keys(routes).map((path) => path.split("/")[1] ?? "");
  expect(segments.filter((segment) => isSlug(segment) && !RESERVED_SLUGS.has(segment))).toEqual([]);
});

for (const engine of engines)
  describe.each(serversOn(engine))(`On ${engine.name}, with %s set`, (_, server) => {
    let site: TriedSite;
    beforeAll(async () => {
      site = await TriedSite.open(server, engine);
    });
    afterAll(() => site.close());

    const depends = ({ rule }: Row) =>
      dependsOn(rule, "bookmarks") || dependsOn(rule, "commenting") || dependsOn(rule, "posts");
    const dependent = ROWS.filter(depends);
    const others = ROWS.filter((row) => !depends(row));
    const rows = {
      all: () => ROWS,
      dependent: () => [...dependent, ...oneOfEach(others, kindOf)],
      some: () => oneOfEach(dependent, ({ rule, surface }) => `${rule} ${surface}`),
    }[server.routes]();
    for (const rule of Object.keys(RULES)) {
      const ruled = rows.filter((row) => row.rule === rule && (server.accounts || !needsAccount(row)));
      if (ruled.length === 0) continue;
      test(`${rule}: exactly who may is let in, and nobody else changes or sees anything`, async () => {
        const found: string[] = [];
        for (const row of ruled)
          for (const [caller, who] of callersOf(row, server)) {
            const problem = await site.try(row, who);
            if (problem !== undefined) found.push(`${row.name}, ${caller}: ${problem}`);
          }
        expect(found).toEqual([]);
      });
    }
  });

/** In the short run one of each kind is enough: what else depends on settings is in the rule. */
function kindOf({ rule, surface, method }: Row): string {
  return `${rule} ${surface} ${method}`;
}

/**
 * Who may is decided before the engine is asked: on PostgreSQL the settings that differ most are enough, and one caller
 * of each way to be known.
 */
function serversOn({ name }: Engine): [string, Server][] {
  const all = Object.entries(SERVERS);
  if (name === "SQLite") return all;
  return all
    .filter(([server]) => server === "all open" || server === "all private")
    .map(([server, setting]) => [server, { ...setting, callers: "few" }]);
}

/** The records of these are somebody's. */
function needsAccount({ record }: Row): boolean {
  return (
    record !== undefined && ["feedOfLinks", "feedOfComments", "contentKey", "preview"].includes(record.name)
  );
}

/** Routes that the odd callers try, too: one of each way to say no. */
const ODD_ROWS: ReadonlySet<string> = new Set([
  ...["GET /bookmarks/", "POST /bookmarks/", "GET /api/drafts/", "POST /api/drafts/", "GET /api/session/"],
  ...[
    "GET /library",
    "POST /library/new",
    "GET /library.atom",
    "GET /account",
    "GET /linkding/api/bookmarks/",
  ],
  ...["GET /micropub", "POST /micropub to create a post"],
]);
/** Whom a server meets that differs from others by who may, but not by how that is found out. */
const FEW: ReadonlySet<string> = new Set([
  ...["a stranger", "a token with every scope", "a session on a page of this site"],
  ...(isFullRun ? ["a wrong token", "an assistant that may do all that one may"] : []),
]);

/**
 * Rows that all callers meet: in the short run the first of each kind. Of the others, it shows by whom the rule lets in,
 * by a stranger, and by a token that lacks a scope that they have this rule.
 */
const FIRST_ROWS: ReadonlySet<Row> = new Set(oneOfEach(ROWS, kindOf));

/** Whether a caller tells a rule from the others: a stranger, and whom the rule asks for at its least. */
function decisiveFor({ rule, surface }: Row): (caller: [string, Caller]) => boolean {
  const asked: object & { readonly scopes?: readonly (readonly Scope[])[] } = RULES[rule];
  const isPage = surface === "page" || surface === "file";
  return ([name, caller]) => {
    if (name === "a stranger") return true;
    if (isPage) return name === "a session on a page of this site";
    if (asked.scopes === undefined) return name === "a token with every scope";
    return asked.scopes.some((each) => Bun.deepEquals(each, caller.scopes));
  };
}

function callersOf(row: Row, server: Server): [string, Caller][] {
  const { name, method, surface, rule } = row;
  const callers = Object.entries(CALLERS);
  if (!server.accounts) return callers.filter(([, { who }]) => who === "stranger");
  // Where tokens do not count, or all do, one that may do all is enough, and one that is wrong.
  const isForAnyone = rule === "whoever asks" || rule === "anyone";
  const few = server.callers === "few" || surface === "page" || isForAnyone;
  const all =
    surface === "micropub" ? callers : callers.filter(([caller]) => !/micropub:(?!create)/.test(caller));
  const isDecisive = decisiveFor(row);
  const met = FIRST_ROWS.has(row)
    ? all
    : [...all.filter(isDecisive), ...casesOf(refusedBy(row, all), ROWS.indexOf(row))];
  const writes = method !== "GET" && server.callers === "all";
  const foreign = Object.entries(FOREIGN_CALLERS);
  return [
    ...(few
      ? callers.filter(([caller]) => FEW.has(caller) || (isForAnyone && caller === "a wrong token"))
      : met),
    ...(writes && server.bookmarks === "open" ? casesOf(foreign, ROWS.indexOf(row)) : []),
    ...(writes && server.bookmarks !== "open" ? foreign.slice(0, 2) : []),
    ...(ODD_ROWS.has(name) && server.callers === "all" ? Object.entries(ODD_CALLERS) : []),
  ];
}

/** The tokens that lack a scope, and those first that lack one of two; all others of a rule without scopes. */
function refusedBy(row: Row, all: readonly [string, Caller][]): readonly [string, Caller][] {
  const asked: object & { readonly scopes?: readonly (readonly Scope[])[] } = RULES[row.rule];
  const { scopes = [] } = asked;
  const hasOf = ({ scopes: had = [] }: Caller, needed: readonly Scope[]) =>
    needed.filter((scope) => had.includes(scope)).length;
  const lacking = all.filter(
    ([, caller]) =>
      caller.who === "token" && !scopes.some((needed) => hasOf(caller, needed) === needed.length),
  );
  const nearly = lacking.filter(([, caller]) => scopes.some((needed) => hasOf(caller, needed) > 0));
  const isDecisive = decisiveFor(row);
  return (
    [nearly, lacking].find(({ length }) => scopes.length > 0 && length > 0) ??
    all.filter((caller) => !isDecisive(caller))
  );
}

/** The paths that show marks to those who may see them: never those of shared lists, feeds, the site or other programs' protocols. */
const OF_MARKS =
  /^\/(?:bookmarks\/\{id\}\/marks\/|api\/(?:marks|undo)\/|library(?:\/removed|\/\{id\}(?:\/read|\/marks.*)?|\/marks|\/export\/everything.*)?$)/;

/** A server on which routes are tried. */
class TriedSite {
  readonly #server: Server;
  readonly #database: Database;
  readonly #handle: ReturnType<typeof createApp>;
  readonly #account: Account | undefined;
  /** Counted on SQLite only. */
  readonly #changes: Changes | undefined;
  readonly #made = new Map<unknown, Promise<string>>();
  readonly #credentials = new Map<Caller, Promise<Readonly<Record<string, string>>>>();
  readonly #toEnd: AsyncDisposableStack;
  #addresses = 0;

  constructor(
    server: Server,
    database: Database,
    handle: ReturnType<typeof createApp>,
    account: Account | undefined,
    changes: Changes | undefined,
    toEnd: AsyncDisposableStack,
  ) {
    this.#server = server;
    this.#database = database;
    this.#handle = handle;
    this.#account = account;
    this.#changes = changes;
    this.#toEnd = toEnd;
  }

  static async open(server: Server, engine: Engine): Promise<TriedSite> {
    const toEnd = new AsyncDisposableStack();
    const { url } = toEnd.use(await engine.createDatabase());
    const config = readConfig({
      ...TEST_SETTINGS,
      BOOKMARKS_ACCESS: "auto",
      ...server.env,
      DATABASE_URL: url,
      LOG_LEVEL: "silent",
    });
    const database = await openDatabase(url, openOptionsFrom(config));
    toEnd.defer(() => database.close());
    const account = server.accounts ? await makeAccount(database, "ada") : undefined;
    await fill({ database, account });
    const { chosen } = server;
    if (chosen !== undefined) await database.write((sql) => saveSite(sql, chosen, new Date()));
    const handle = createApp({ config, database, log: new Log({ level: "silent", format: "json" }) });
    return new TriedSite(
      server,
      database,
      handle,
      account,
      url.startsWith("sqlite:") ? toEnd.use(new Changes(url)) : undefined,
      toEnd,
    );
  }

  close(): Promise<void> {
    return this.#toEnd.disposeAsync();
  }

  /** @returns what is wrong */
  async try(row: Row, caller: Caller): Promise<string | undefined> {
    const isForm = (row.surface === "page" || row.surface === "file") && row.method !== "GET";
    // A browser sends forms; a session that says nothing of its page is that of a program.
    const sender: Caller =
      isForm && caller.page === undefined && caller.who !== "session" ? { ...caller, page: "own" } : caller;
    const expected = expectedOf(row, sender, this.#server);
    const isRead = row.method === "GET";
    const record = await this.#recordFor(row, !isRead && expected === "in");
    const headers = new Headers(await this.#headersOf(caller, row.ends === true));
    if (sender !== caller) for (const [name, value] of Object.entries(OWN_PAGE)) headers.set(name, value);
    const mayChange = !isRead && expected === "in";
    const before = this.#changes?.count;
    const response = await this.#send(row, record, headers);
    // The archive is a file that is sent at once, or never.
    const text = response.headers.get("content-type") === "application/zip" ? "" : await response.text();
    if (!mayChange && !row.writesDown && this.#changes?.count !== before)
      return `${response.status}, and something was changed`;
    const statuses = statusesOf(row, expected);
    if (!statuses.includes(response.status)) return `${response.status} instead of ${statuses.join(" or ")}`;
    if (
      expected === "sign in" &&
      isRead &&
      !/^(?:http:\/\/localhost)?\/sign-in\?/.test(response.headers.get("location") ?? "")
    )
      return `leads to ${response.headers.get("location")}`;
    return (
      this.#wordsIn({ text, places: placesIn(response), sent: `${record} ${row.query}` }, row, sender) ??
      this.#cachingOf(response, row) ??
      openerOf(response) ??
      originsOf(response, row, headers, this.#server) ??
      refusalOf(response, text, row, sender, this.#server, expected)
    );
  }

  /** The record of a row; a new one if the request may change it. */
  async #recordFor({ record }: Row, isNew: boolean): Promise<string> {
    if (record === undefined) return "";
    const make = async (one: Make) => String(await one({ database: this.#database, account: this.#account }));
    if (isNew) return make(record);
    const made = this.#made.get(record) ?? make(record);
    this.#made.set(record, made);
    return made;
  }

  #headersOf(caller: Caller, isNew: boolean): Promise<Readonly<Record<string, string>>> {
    const make = () =>
      this.#account === undefined
        ? caller.headers(this.#database, NOBODY)
        : caller.headers(this.#database, this.#account);
    if (isNew) return make();
    const made = this.#credentials.get(caller) ?? make();
    this.#credentials.set(caller, made);
    return made;
  }

  #send(row: Row, record: string, headers: Headers): Promise<Response> {
    // Each from another address, so that limits for strangers do not matter.
    this.#addresses++;
    const address = `127.${(this.#addresses >> 16) & 255}.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
    return Promise.resolve(this.#handle(requestOf(row, record, headers), { address: () => address }));
  }

  /** Words of records that the caller may not read. */
  #wordsIn(
    { text, places, sent }: { readonly text: string; readonly places: string; readonly sent: string },
    { path, surface, shows = [] }: Row,
    caller: Caller,
  ): string | undefined {
    const reader: Caller =
      surface === "page" && caller.who !== "session"
        ? { ...caller, who: caller.onPages ?? "stranger" }
        : caller;
    const asked = surface === "mcp" ? surface : "api";
    const may = (rule: keyof typeof RULES) => outcomeOf(asked, rule, reader, this.#server) === "in";
    const known = {
      link: may("bookmarks:read") || may("reading links"),
      post: may("posts:read") || may("source of posts") || may("moderating"),
      draft: may("source of posts") || may("reading drafts"),
      waiting: may("moderating"),
      mark: may("reading copies") && OF_MARKS.test(path),
    };
    // A slug has the words of a title; programs of IndieAuth are told where the post is that they have written.
    const isTold = surface === "micropub" && caller.scopes?.some((scope) => scope.startsWith("micropub:"));
    for (const [kind, word] of Object.entries(WORDS) as [keyof typeof WORDS, string][]) {
      if (known[kind] || shows.includes(kind)) continue;
      const slug = word.toLowerCase();
      if (text.includes(word) || (places.includes(slug) && !sent.includes(slug) && !isTold))
        return `shows a ${kind}`;
    }
    return undefined;
  }

  /** What is not for anyone is in no shared cache, whatever the answer. */
  #cachingOf({ headers }: Response, { rule, surface, path }: Row): string | undefined {
    const audience = audienceOf(rule, this.#server);
    const caching = headers.get("cache-control") ?? "";
    if (audience === "anyone" || audience === "everyone") return undefined;
    // A browser may keep a page or picture for its reader.
    const isKept = surface === "page" || surface === "file" || /^\/media\/|\{picture\}$/.test(path);
    const isPrivate = isKept
      ? /^private\b/.test(caching)
      : /^private, no-store(?:, no-transform)?$/.test(caching);
    return isPrivate ? undefined : `Cache-Control: ${caching}`;
  }
}

/** No page can be reached by a site that opened it. */
function openerOf({ headers }: Response): string | undefined {
  if (!headers.get("content-type")?.startsWith("text/html") || headers.has("content-disposition"))
    return undefined;
  const policy = headers.get("cross-origin-opener-policy");
  return policy === "same-origin" ? undefined : `Cross-Origin-Opener-Policy: ${policy}`;
}

/** The addresses in a response's headers: a slug has words of the title. */
function placesIn({ headers }: Response): string {
  return ["location", "content-location", "link"].map((name) => headers.get(name) ?? "").join(" ");
}

const NOBODY: Account = { id: 0 } as Account;

/** What a caller gets at a route; a number is the status of a refusal. */
function expectedOf(row: Row, caller: Caller, setting: Setting): Outcome {
  const writes = row.method !== "GET";
  const isForm = writes && (row.surface === "page" || row.surface === "file");
  if (isForm && caller.page !== "own") return 403;
  const isForeign = writes && caller.page === "foreign";
  if (isForeign && row.foreignPages !== undefined) return row.foreignPages;
  const exception = row.except?.[caller.who];
  const outcome = outcomeOf(row.surface, row.rule, caller, setting);
  const byCookie = caller.who === "session" && audienceOf(row.rule, setting) !== "everyone";
  if (isForeign && byCookie && (outcome === "in" || row.surface === "micropub")) return 403;
  return (exception as Outcome | undefined) ?? outcome;
}

function statusesOf(row: Row, expected: Outcome): readonly number[] {
  if (expected === "in") return row.statuses;
  if (expected === "sign in") return row.method === "GET" ? [303] : [401];
  return typeof expected === "number" ? [expected] : [];
}

/** Pages of other origins read nothing, except where that is meant. */
function originsOf(response: Response, row: Row, headers: Headers, setting: Setting): string | undefined {
  const allowed = response.headers.get("access-control-allow-origin");
  const isOpen = row.anyOrigin === true || (row.anyOrigin && audienceOf(row.rule, setting) === "anyone");
  const isRight = isOpen ? allowed === "*" || !headers.has("origin") : allowed === null;
  if (!isRight) return `Access-Control-Allow-Origin: ${allowed}`;
  return response.headers.has("access-control-allow-credentials") ? "allows credentials" : undefined;
}

/** Whether a refusal says how to get in, or what is missing, in the form of its surface (RFC 6750, section 3). */
function refusalOf(
  response: Response,
  text: string,
  row: Row,
  caller: Caller,
  setting: Setting,
  expected: Outcome,
): string | undefined {
  const type = response.headers.get("content-type") ?? "";
  const isPage = row.surface === "page" || row.surface === "file";
  if (isPage) return response.status === 403 && !type.startsWith("text/html") ? `is ${type}` : undefined;
  if (typeof expected !== "number" || row.rule === "whoever asks") return undefined;
  const challenges = response.headers.get("www-authenticate") ?? "";
  const lacks = challenges.includes('error="insufficient_scope"');
  const isInvalid = challenges.includes('error="invalid_token"');
  if (isInvalid !== (expected === 401 && caller.who === "wrong token"))
    return `challenges with ${challenges}`;
  if (
    caller.who === "token" &&
    caller.page !== "foreign" &&
    audienceOf(row.rule, setting) === "accounts" &&
    !lacks
  )
    return `does not say which scope is missing: ${challenges}`;
  if (expected === 401 && row.surface === "api" && row.path.startsWith("/api/")) {
    const { detail } = JSON.parse(text) as { detail: string };
    if (!detail.includes("/api/token/")) return `says ${detail}`;
  }
  return undefined;
}
