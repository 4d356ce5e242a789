import { expect } from "bun:test";
import type { BookmarkResponse } from "../../../src/bookmarks/bookmark.ts";
import type { Send } from "../requests/send.ts";
import { bookmarkIn, COLLECTION, pathOf } from "./bookmarks.ts";

/** The fields with which a client creates a bookmark. */
export type BookmarkFields = Pick<BookmarkResponse, "title" | "url" | "description">;

/** A creation without a response: it may have taken effect or not. */
export interface Doubtful {
  readonly fields: BookmarkFields;
  readonly found: BookmarkResponse | undefined;
}

/** A possible state of a bookmark: its fields, or deleted. */
type State = BookmarkResponse | "gone";

/** What a server's clients know about its bookmarks: confirmed states, and changes that may have taken effect. */
export class Ledger {
  /** The last confirmed state, by id. */
  readonly #confirmed = new Map<number, State>();
  /** The state after an unanswered change, by id. */
  readonly #unanswered = new Map<number, State>();
  /** The fields of unanswered creations, by title. */
  readonly #attempted = new Map<string, BookmarkFields>();
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;
  /** The number of confirmed writes, of writes without confirmation, and of those among them that got a 503. */
  confirmations = 0;
  cutOff = 0;
  refused = 0;
  highestId = 0;

  /** Records that a creation is about to be sent, with a unique title. */
  creating(fields: BookmarkFields): void {
    this.#attempted.set(fields.title, fields);
  }

  created(bookmark: BookmarkResponse): void {
    this.#attempted.delete(bookmark.title);
    this.#confirm(bookmark.id, bookmark);
  }

  /** Records that a change of a bookmark is about to be sent. */
  changing(id: number, state: State): void {
    this.#unanswered.set(id, state);
  }

  changed(id: number, state: State): void {
    this.#unanswered.delete(id);
    this.#confirm(id, state);
  }

  /** Resolves when this many writes are confirmed. */
  reaches(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited = { count, resolve };
    return promise;
  }

  /**
   * Checks that a server has exactly the confirmed states, and that each unanswered change took effect
   * completely or not at all. The found state counts as confirmed from then on.
   *
   * @returns the unanswered creations, with the bookmarks that they created
   */
  compare(listed: readonly BookmarkResponse[], round: number): Doubtful[] {
    const doubtful = [...this.#attempted.values()].map((fields) => ({
      fields,
      found: listed.find(({ title }) => title === fields.title),
    }));
    const found = new Map(listed.map((bookmark) => [bookmark.id, bookmark]));
    for (const [id, confirmed] of this.#confirmed) {
      const state: State = found.get(id) ?? "gone";
      const unanswered = this.#unanswered.get(id);
      const possible = unanswered === undefined ? [confirmed] : [confirmed, unanswered];
      expect(possible, `bookmark ${id} after round ${round - 1}`).toContainEqual(state);
      // A bookmark that is gone is removed from the ledger. If it came back, it would count as unknown.
      if (state === "gone") this.#confirmed.delete(id);
      else this.#confirmed.set(id, state);
    }
    for (const bookmark of listed.filter(({ id }) => !this.#confirmed.has(id))) {
      const attempted = this.#attempted.get(bookmark.title);
      expect(attempted, `bookmark ${bookmark.id}, which nobody sent`).toBeDefined();
      expect(bookmark).toMatchObject(attempted ?? {});
      this.#attempted.delete(bookmark.title);
      this.#remember(bookmark.id, bookmark);
    }
    this.#unanswered.clear();
    this.#attempted.clear();
    return doubtful;
  }

  #confirm(id: number, state: State): void {
    this.#remember(id, state);
    this.confirmations++;
    if (this.#awaited !== undefined && this.confirmations >= this.#awaited.count) this.#awaited.resolve();
  }

  #remember(id: number, state: State): void {
    this.#confirmed.set(id, state);
    this.highestId = Math.max(this.highestId, id);
  }
}

/**
 * Sends a creation with the idempotency key of its title: the same for the first attempt and each repeat.
 * @throws when it is not answered
 */
export function sendCreation(send: Send, json: BookmarkFields): Promise<Response> {
  const headers = { "idempotency-key": json.title.replaceAll(" ", "-") };
  return send(COLLECTION, { method: "POST", headers, json });
}

/**
 * Creates, changes and deletes bookmarks until the server stops answering. @param name unique among all
 * writers
 */
export async function writeUntilCutOff(send: Send, ledger: Ledger, name: string): Promise<void> {
  try {
    for (let count = 0; ; count++) await writeOnce(send, ledger, `${name}, bookmark ${count}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    ledger.cutOff++;
    if (error instanceof RefusedError) ledger.refused++;
  }
}

/** Creates one bookmark; some are then changed, some deleted, some both. */
async function writeOnce(send: Send, ledger: Ledger, title: string): Promise<void> {
  // Longer than a page of the database, so that a partial write would be possible.
  const json = { title, url: "https://example.com/", description: `${title} `.repeat(300) };
  ledger.creating(json);
  const bookmark = await bookmarkIn(await answered(sendCreation(send, json), 201));
  ledger.created(bookmark);
  const { id } = bookmark;
  if (Math.random() < 0.5) {
    const changed = { ...bookmark, url: "https://changed.example/", description: "changed ".repeat(1_000) };
    ledger.changing(id, changed);
    const response = await answered(send(pathOf(bookmark), { method: "PUT", json: changed }), 200);
    ledger.changed(id, await bookmarkIn(response));
  }
  if (Math.random() < 0.8) {
    ledger.changing(id, "gone");
    await answered(send(pathOf(bookmark), { method: "DELETE" }), 204);
    ledger.changed(id, "gone");
  }
}

/** A response that leaves the outcome open, as from a server whose database is gone. */
export class RefusedError extends Error {
  readonly code = 503;
}

/** @throws RefusedError when the response is 503 */
export async function answered(sending: Promise<Response>, status: number): Promise<Response> {
  const response = await sending;
  if (response.status === 503) throw new RefusedError(await response.text());
  expect(response.status).toBe(status);
  return response;
}
