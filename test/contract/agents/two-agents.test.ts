import { expect, test } from "bun:test";
import { dayOf } from "../../../src/agents/token-changes.ts";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import { findBookmark } from "../../../src/bookmarks/bookmark-store.ts";
import type { Database } from "../../../src/database/database.ts";
import { postpone, resume } from "../../../src/library/next-to-read/next-store.ts";
import { findPostOrDraft, withTags } from "../../../src/posts/post-store.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { Agent } from "../../support/requests/agent.ts";
import type { Send } from "../../support/requests/send.ts";
import { rounds } from "../../support/run/full-run.ts";
import { Random, testSeed } from "../../support/run/random.ts";
import { describeApp } from "../../support/server/contract.ts";

const CALLS = rounds(200, 500);
const BOOKMARKS = 25;
const DRAFTS = 12;

type Kind = "bookmark" | "post";
/** A record, and who touched it, in order. */
interface Touched {
  readonly kind: Kind;
  readonly id: number;
  /** What there was after each touch; the first one before any. */
  readonly history: { readonly by: string; readonly is: unknown }[];
}

/** What an agent may do, and a person beside it; each returns which records it was about. */
type Act = (random: Random, count: number) => Promise<void>;

describeApp("Of two agents beside a person", (service) => {
  test("one is undone: what nobody else touched after it is as without it, and the rest as it was left", async () => {
    const clock = new StoppedClock();
    const { database, request } = await service.startApp({ POSTS_ACCESS: "private" }, clock);
    const account = await makeAccount(database, "ada");
    const cookie = await makeSession(database, account);
    const person = withHeaders(request, { cookie });
    const keys = [await makeToken(database, account), await makeToken(database, account)];
    const [first = 0] = keys.map((key) => Number(key.split("_")[1]));
    const editor = withToken(request, await makeToken(database, account));
    const random = new Random(testSeed);
    const world = new World(database, editor);
    for (let index = 0; index < 10; index++) await world.as("person", world.personAdds);
    const agents = keys.map((key) => world.actsOf(new Agent(withToken(request, key))));
    for (let count = 0; count < CALLS; count++) {
      clock.move(1 + random.below(60_000));
      const who = random.below(5);
      const acts = who < 2 ? world.personActs : agents[who < 4 ? 0 : 1];
      await world.as(
        who < 2 ? "person" : who < 4 ? "first" : "second",
        (r, c) => random.pick(acts ?? [])(r, c),
        random,
        count,
      );
    }
    clock.move(1_000);
    const day = "2026-01-01";
    expect(dayOf(first, day, "UTC").before > clock.now()).toBe(true);

    const expected = world.records.map((record) => {
      const others = record.history.findLastIndex(({ by }) => by !== "first");
      const touchedBefore = record.history.slice(0, others).some(({ by }) => by === "first");
      const count = record.history.length - 1 - others;
      return { ...record, is: record.history[others]?.is, isKept: touchedBefore, count };
    });
    const undo = async () => {
      const answer = await person("/api/undo/day/", { method: "POST", json: { token: first, day } });
      expect(answer.status).toBe(200);
      return (await answer.json()) as { undone: number; kept: { kind: Kind; id: number; why: string }[] };
    };
    const { undone, kept } = await undo();
    expect(undone).toBe(expected.reduce((sum, { count }) => sum + count, 0));
    for (const { kind, id, is, history } of expected)
      expect({ kind, id, is: await world.look(kind, id), history: history.map(({ by }) => by) }).toEqual({
        ...{ kind, id, is, history: history.map(({ by }) => by) },
      });
    const nameOf = ({ kind, id }: { kind: Kind; id: number }) => `${kind} ${id}`;
    expect(kept.map(nameOf).toSorted()).toEqual(
      expected
        .filter(({ isKept }) => isKept)
        .map(nameOf)
        .toSorted(),
    );
    expect(await undo()).toEqual({ undone: 0, kept });
  });
});

function isWaiting(record: unknown): boolean {
  return (record as { readonly notBefore?: Date | null } | undefined)?.notBefore != null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Bookmarks and drafts, and all that was done to them. */
class World {
  readonly records: Touched[] = [];
  readonly #database: Database;
  readonly #person: Send;
  #count = 0;
  #touching: { readonly kind: Kind; readonly ids: readonly number[] } = { kind: "bookmark", ids: [] };

  constructor(database: Database, person: Send) {
    this.#database = database;
    this.#person = person;
  }

  /** Does something, and notes which records it changed. */
  async as(by: string, act: Act, random = new Random(0), count = 0): Promise<void> {
    this.#touching = { kind: "bookmark", ids: [] };
    await act(random, count);
    const { kind, ids } = this.#touching;
    for (const id of ids) {
      const is = await this.look(kind, id);
      const known = this.records.find((record) => record.kind === kind && record.id === id);
      const history = known?.history ?? [{ by: "nobody", is: undefined }];
      if (known === undefined) this.records.push({ kind, id, history });
      const [before, last] = [history.at(-2), history.at(-1)];
      if (isSame(last?.is, is)) continue;
      // A link that was put off and waits again is as it was, and nothing says that it was put off.
      const isResumed = isWaiting(last?.is) && !isWaiting(is);
      const isBack = last?.by === by && isResumed && isSame(before?.is, is);
      if (isBack) history.pop();
      else history.push({ by, is });
    }
  }

  /** Of a record, all but its versions and dates. */
  async look(kind: Kind, id: number): Promise<unknown> {
    const { read } = this.#database;
    if (kind === "bookmark") {
      const found = await findBookmark(read, id);
      if (found === undefined) return undefined;
      const { title, url, description, unread, archived, shared, notBefore } = found;
      return { title, url, description, unread, archived, shared, notBefore };
    }
    const post = await findPostOrDraft(read, id);
    if (post === undefined) return undefined;
    const { title, content, published, kind: of, summary, tags, link } = await withTags(read, post);
    return { title, content, published, of, summary, tags, link };
  }

  /** What an agent does, at `/mcp`. */
  actsOf(agent: Agent): Act[] {
    const { read } = this.#database;
    return [
      async (random) => {
        const word = this.#word();
        const fields = { url: `https://example.com/${word}`, title: word, unread: random.chance(0.5) };
        this.#touch("bookmark", [(await agent.use("add_link", fields)).id]);
      },
      async (random) => {
        const [id] = this.#some("bookmark", random, 1);
        const there = id === undefined ? undefined : await findBookmark(read, id);
        if (there === undefined) return;
        const fields = random.chance(0.5) ? { title: this.#word() } : { note: this.#word() };
        await agent.use("edit_link", { id, version: there.version, ...fields });
      },
      async (random) => {
        const ids = this.#some("bookmark", random, 4);
        const tags = [random.pick(["a", "b", "c"])];
        if (ids.length > 0)
          await agent.use("tag_links", { ids, ...(random.chance(0.6) ? { add: tags } : { remove: tags }) });
      },
      async (random) => {
        const ids = this.#some("bookmark", random, 3);
        if (ids.length > 0) await agent.use("archive_links", { ids, archived: random.chance(0.5) });
      },
      async (random) => {
        const members = random.chance(0.5) ? { tags: [this.#word()], summary: "S" } : {};
        const { id } = await agent.use("draft_post", { title: this.#word(), content: "C", ...members });
        this.#touch("post", [id]);
      },
      async (random) => {
        const [id] = this.#some("post", random, 1);
        const post = id === undefined ? undefined : await findPostOrDraft(read, id);
        if (post === undefined || post.published) return;
        const fields = random.pick<object>([
          { title: this.#word() },
          { content: this.#word() },
          { tags: [this.#word()] },
          { content: this.#word(), summary: this.#word() },
        ]);
        await agent.use("revise_draft", { id, version: post.version + post.publicationVersion, ...fields });
      },
    ];
  }

  readonly personAdds: Act = async () => {
    const answer = await this.#send("/bookmarks/", "POST", {
      title: this.#word(),
      url: "https://example.com/p",
    });
    this.#touch("bookmark", [answer.id]);
    const draft = await this.#send("/api/drafts/", "POST", { title: this.#word(), content: "P" });
    const known = { by: "person", is: await this.look("post", draft.id) };
    this.records.push({ kind: "post", id: draft.id, history: [known] });
  };

  /** What a person does. */
  get personActs(): Act[] {
    const database = this.#database;
    return [
      async (random) => {
        const [id] = this.#some("bookmark", random, 1);
        if (id !== undefined) await this.#send(`/bookmarks/${id}`, "PATCH", { description: this.#word() });
      },
      async (random) => {
        const ids = this.#some("bookmark", random, 2);
        const states = random.chance(0.5) ? { archived: random.chance(0.5) } : { unread: random.chance(0.5) };
        await changeStates(database, ids, states, database.clock.now());
      },
      async (random) => {
        const [id] = this.#some("bookmark", random, 1);
        if (id === undefined) return;
        const isPutOff = random.chance(0.5);
        await database.write((sql) => (isPutOff ? postpone(sql, id, database.clock.now()) : resume(sql, id)));
      },
      async (random) => {
        const [id] = random.chance(0.3) ? this.#some("bookmark", random, 1) : [];
        if (id !== undefined) await this.#send(`/bookmarks/${id}`, "DELETE");
      },
      async (random) => {
        const [id] = this.#some("post", random, 1);
        const post = id === undefined ? undefined : await findPostOrDraft(database.read, id);
        if (post === undefined) return;
        const path = `/api/${post.published ? "posts" : "drafts"}/${id}/`;
        const [method, to, json] = random.pick([
          ["DELETE", path, undefined],
          ["PATCH", path, { published: !post.published }],
          ...Array(4).fill(["PATCH", path, { content: this.#word() }]),
          ...Array(4).fill(["PATCH", `${path}publication/`, { summary: this.#word() }]),
        ] as [string, string, unknown][]);
        await this.#send(to, method, json);
      },
    ];
  }

  #word(): string {
    return `word${this.#count++}`;
  }

  /** Up to so many records that are there; the act is about them. */
  #some(kind: Kind, random: Random, most: number): number[] {
    const there = this.records.filter(
      (record) => record.kind === kind && record.history.at(-1)?.is !== undefined,
    );
    const recent = there.slice(kind === "bookmark" ? -BOOKMARKS : -DRAFTS);
    const ids =
      recent.length === 0 ? [] : Array.from({ length: 1 + random.below(most) }, () => random.pick(recent).id);
    this.#touch(kind, [...new Set(ids)]);
    return [...new Set(ids)];
  }

  #touch(kind: Kind, ids: readonly number[]): void {
    this.#touching = { kind, ids };
  }

  async #send(path: string, method: string, json?: unknown): Promise<{ readonly id: number }> {
    const answer = await this.#person(path, { method, ...(json !== undefined && { json }) });
    expect(answer.status).toBeLessThan(300);
    return method === "DELETE" ? { id: 0 } : ((await answer.json()) as { id: number });
  }
}
