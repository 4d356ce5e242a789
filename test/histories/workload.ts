import { until } from "../support/machine/until.ts";
import type { Random } from "../support/run/random.ts";
import { type Call, COMMON, type Fields, type Request } from "./history.ts";
import {
  type Family,
  fieldsOf,
  type KnownRecord,
  KnownRecords,
  recordTarget,
  targetOf,
} from "./known-records.ts";
import { Reader } from "./reader.ts";
import type { Recorder } from "./recorder.ts";

/** The number of records of each kind that exist at a time: few, so that clients conflict. */
const RECORDS = { fewest: 3, most: 7 };
/** The number of earlier keys that are used again. */
const KEYS_REPEATED = 12;

interface Keyed {
  readonly key: string;
  readonly collection: Family;
  readonly body: Fields;
}

/**
 * busy: many writers and searches. calm: one writer at a time, so that readers find cached responses between
 * writes.
 */
export type Pace = "busy" | "calm";

/** The actions of the clients. They share their knowledge, so they overwrite each other's changes. */
export class Workload {
  readonly #recorder: Recorder;
  readonly #admin: string;
  readonly #known = new KnownRecords();
  readonly #reader: Reader;
  #keys: Keyed[] = [];
  /** Tokens that may be revoked, by id. */
  readonly #tokens = new Map<number, string>();
  #writing: Promise<unknown> = Promise.resolve();

  /** @param admin a token with all scopes, which is never revoked */
  constructor(recorder: Recorder, admin: string) {
    this.#recorder = recorder;
    this.#admin = admin;
    this.#reader = new Reader(recorder, this.#known, admin);
  }

  /** Sends a few requests of one client. */
  async act(random: Random, pace: Pace): Promise<void> {
    if (pace === "calm") return random.chance(0.15) ? this.#writeCalmly(random) : this.#readOften(random);
    const roll = random.next();
    if (roll < 0.4) await this.#writeAndLook(random);
    else if (roll < 0.52) await this.#race(random);
    else if (roll < 0.64) await this.#repeat(random);
    else if (roll < 0.72) await this.#createGuarded(random);
    else if (roll < 0.8) await this.#useTokens(random);
    else await this.#readOften(random);
  }

  /** Reads everything on every server, as soon as it answers again. @throws when a server does not */
  async readAll(targets: readonly string[]): Promise<void> {
    const records = this.#known.all().map((seen) => recordTarget(seen));
    const tokens = [...this.#tokens].map(([id, token]) => ({ target: `/api/tokens/${id}/`, token }));
    const requests = [...targets, ...records].map((target) => ({ target, token: this.#admin }));
    for (let server = 0; server < this.#recorder.servers; server++)
      for (const request of [...requests, ...tokens])
        await until(`server ${server} answers GET ${request.target}`, async () => {
          const call = await this.#recorder.send(server, { method: "GET", ...request });
          return call?.response !== undefined && call.response.status !== 503;
        });
  }

  async #writeCalmly(random: Random): Promise<void> {
    // One write at a time, after a pause in which other clients read cached responses.
    this.#writing = this.#writing.then(async () => {
      await Bun.sleep(5 + random.below(25));
      await this.#writeAndLook(random, false);
    });
    await this.#writing;
  }

  /** Sends a write, and at once many reads of what it must have changed, mostly on another server. */
  async #writeAndLook(random: Random, searches = true): Promise<void> {
    const server = random.below(this.#recorder.servers);
    const family = random.pick(["bookmarks", "posts"] as const);
    const words = await this.#write(random, server, family);
    const other = random.chance(0.75) ? (server + 1) % this.#recorder.servers : server;
    const looks = Array.from({ length: 5 }, () =>
      this.#reader.look(random, other, family, searches ? words : []),
    );
    await Promise.all(looks);
  }

  /** @returns the words that were written */
  async #write(random: Random, server: number, family: Family): Promise<string[]> {
    const known = this.#known.of(family);
    if (known.length < RECORDS.fewest || (known.length < RECORDS.most && random.chance(0.25)))
      return this.#create(random, server, family);
    const seen = random.pick(known);
    const target = recordTarget(seen);
    const guard = seen.etag !== undefined && random.chance(0.6) ? { ifMatch: seen.etag } : {};
    if (random.chance(known.length >= RECORDS.most ? 0.5 : 0.12)) {
      const call = await this.#send(server, { method: "DELETE", target, ...guard });
      if (call?.response?.status === 204 || call?.response?.status === 404) this.#known.forget(seen);
      return [seen.title];
    }
    const [title, text] = [this.#known.newWord(), this.#known.newWord()];
    const roll = random.next();
    const isPost = family === "posts";
    // A write without changes, unless another client was faster. Without the entity tag, it could restore
    // overwritten fields.
    if (roll < 0.06 && seen.etag !== undefined) {
      const same = fieldsOf(isPost, seen.title, seen.text, seen.collection === "posts");
      await this.#change(server, seen, { method: "PUT", target, body: same, ifMatch: seen.etag });
      return [seen.title];
    }
    if (roll < 0.3) {
      const body = fieldsOf(isPost, title, text, isPost ? random.chance(0.6) : undefined);
      await this.#change(server, seen, { method: "PUT", target, body, ...guard });
      return [title, text];
    }
    const published = isPost && random.chance(0.6) ? { published: seen.collection !== "posts" } : {};
    const onlyText = random.chance(0.5);
    const whole = fieldsOf(isPost, title, text);
    const body = {
      ...(onlyText ? { description: whole.description, content: whole.content } : { title }),
      ...published,
    };
    await this.#change(server, seen, { method: "PATCH", target, body: withoutUndefined(body), ...guard });
    return [onlyText ? text : title, seen.title];
  }

  /** Sends several writes of the same version at once, of which one wins, and reads the result. */
  async #race(random: Random): Promise<void> {
    const known = this.#known.all();
    if (known.length === 0) return;
    const seen = random.pick(known);
    const target = recordTarget(seen);
    const held = await this.#send(random.below(this.#recorder.servers), { method: "GET", target });
    const ifMatch = held?.response?.status === 200 ? held.response.etag : undefined;
    if (ifMatch === undefined) return this.#known.forget(seen);
    const isPost = seen.collection !== "bookmarks";
    const writes = Array.from({ length: 3 }, (_, index) => {
      const server = index % this.#recorder.servers;
      const word = this.#known.newWord();
      const text = `${word} ${COMMON}`;
      const body = index < 2 ? { title: word } : isPost ? { content: text } : { description: text };
      return this.#change(server, seen, { method: "PATCH", target, body, ifMatch });
    });
    await Promise.all(writes);
    await Promise.all(
      [0, 1].map((server) => this.#reader.look(random, server, isPost ? "posts" : "bookmarks", [])),
    );
  }

  async #create(random: Random, server: number, family: Family): Promise<string[]> {
    const [title, text] = [this.#known.newWord(), this.#known.newWord()];
    const body = fieldsOf(
      family === "posts",
      title,
      text,
      family === "posts" ? random.chance(0.6) : undefined,
    );
    const call = await this.#send(server, { method: "POST", target: targetOf(family), body });
    this.#known.learn(call);
    return [title, text];
  }

  async #change(server: number, seen: KnownRecord, request: Request): Promise<void> {
    const call = await this.#send(server, request);
    if (call?.response?.status === 404) this.#known.forget(seen);
    if (call?.response?.status === 412) seen.etag = undefined;
    this.#known.learn(call);
  }

  /**
   * Sends the same creation several times at once and again later, on both servers; or another one with the
   * same key.
   */
  async #repeat(random: Random): Promise<void> {
    const collection = random.pick(["bookmarks", "posts"] as const);
    const isPost = collection === "posts";
    const make = () =>
      fieldsOf(isPost, this.#known.newWord(), this.#known.newWord(), isPost ? random.chance(0.6) : undefined);
    const isNew = this.#keys.length < KEYS_REPEATED || random.chance(0.5);
    const keyed = isNew ? { key: crypto.randomUUID(), collection, body: make() } : random.pick(this.#keys);
    if (isNew) this.#keys = [...this.#keys, keyed].slice(-KEYS_REPEATED);
    const request = { method: "POST", target: targetOf(keyed.collection), key: keyed.key } as const;
    const other = () =>
      fieldsOf(
        keyed.collection === "posts",
        this.#known.newWord(),
        this.#known.newWord(),
        keyed.body.published,
      );
    const server = random.below(this.#recorder.servers);
    const send = (to: number, extra: Partial<Request> = {}) =>
      this.#send(to, { ...request, body: keyed.body, ...extra });
    // This creation fails its precondition. Its key stays free.
    if (random.chance(0.3)) await send(server, { ifMatch: '"none"' });
    const attempts = [send(server), send((server + 1) % this.#recorder.servers)];
    if (random.chance(0.3)) attempts.push(send(random.below(this.#recorder.servers), { body: other() }));
    for (const call of await Promise.all(attempts)) this.#known.learn(call);
    await send(random.below(this.#recorder.servers), random.chance(0.5) ? { body: other() } : {});
  }

  /** Creates a bookmark only if the list is unchanged since it was read. */
  async #createGuarded(random: Random): Promise<void> {
    const server = random.below(this.#recorder.servers);
    const held = await this.#send(server, { method: "GET", target: "/bookmarks/?limit=100" });
    const ifMatch = held?.response?.etag;
    if (held === undefined || ifMatch === undefined) return;
    const body = fieldsOf(false, this.#known.newWord(), this.#known.newWord());
    const to = random.below(this.#recorder.servers);
    this.#known.learn(await this.#send(to, { method: "POST", target: "/bookmarks/", body, ifMatch, held }));
  }

  async #useTokens(random: Random): Promise<void> {
    const server = random.below(this.#recorder.servers);
    if (this.#tokens.size < RECORDS.fewest) {
      const call = await this.#send(server, {
        method: "POST",
        target: "/api/tokens/",
        body: { name: this.#known.newWord() },
      });
      const made =
        call?.response?.status === 201 ? (call.response.body as { id: number; token: string }) : undefined;
      if (made !== undefined) this.#tokens.set(made.id, made.token);
    }
    if (this.#tokens.size === 0) return;
    const [id, token] = random.pick([...this.#tokens]);
    const target = `/api/tokens/${id}/`;
    const use = async (to: number) => await this.#recorder.send(to, { method: "GET", target, token });
    const both = () => Promise.all([use(0), use(1 % this.#recorder.servers)]);
    await both();
    if (random.chance(0.5)) {
      const call = await this.#send(server, { method: "DELETE", target });
      if (call?.response?.status === 204) this.#tokens.delete(id);
      await both();
    }
  }

  /** Reads the same few targets repeatedly, so that they are cached. */
  async #readOften(random: Random): Promise<void> {
    const server = random.below(this.#recorder.servers);
    for (let count = 0; count < 6; count++)
      await this.#reader.look(random, server, random.pick(["bookmarks", "posts"] as const), []);
  }

  #send(server: number, request: Request): Promise<Call | undefined> {
    return this.#recorder.send(server, { ...request, token: this.#admin });
  }
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
