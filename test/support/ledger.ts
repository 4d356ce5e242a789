import { expect } from "bun:test";
import type { BookmarkResponse } from "../../src/bookmarks/bookmark.ts";
import { bookmarkIn, COLLECTION, pathOf } from "./bookmarks.ts";
import type { Send } from "./send.ts";

/** A bookmark as it may be found: the fields, or gone. */
type State = BookmarkResponse | "gone";

/** What the clients of a server know of its bookmarks: what it has confirmed, and what may have happened besides. */
export class Ledger {
  /** By id: the state that was confirmed last. */
  readonly #confirmed = new Map<number, State>();
  /** By id: what a change that was not answered would have made of it. */
  readonly #unanswered = new Map<number, State>();
  /** By title: the fields of creations that were not answered. */
  readonly #attempted = new Map<string, Partial<BookmarkResponse>>();
  #awaited: { readonly count: number; readonly resolve: () => void } | undefined;
  /** How many writes were confirmed, and how many were cut off. */
  confirmations = 0;
  cutOff = 0;
  highestId = 0;

  /** A creation is about to be sent, under a title that no other has. */
  creating(fields: Partial<BookmarkResponse> & { readonly title: string }): void {
    this.#attempted.set(fields.title, fields);
  }

  created(bookmark: BookmarkResponse): void {
    this.#attempted.delete(bookmark.title);
    this.#confirm(bookmark.id, bookmark);
  }

  /** A change of a bookmark is about to be sent. */
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
   * Checks that a server has exactly what it confirmed, and of what it did not, nothing or the whole; takes
   * what it finds for confirmed from then on.
   */
  compare(listed: readonly BookmarkResponse[], round: number): void {
    const found = new Map(listed.map((bookmark) => [bookmark.id, bookmark]));
    for (const [id, confirmed] of this.#confirmed) {
      const state: State = found.get(id) ?? "gone";
      const unanswered = this.#unanswered.get(id);
      const possible = unanswered === undefined ? [confirmed] : [confirmed, unanswered];
      expect(possible, `bookmark ${id} after round ${round - 1}`).toContainEqual(state);
      this.#confirmed.set(id, state);
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

/** Creates, changes and deletes bookmarks until the server does not answer any more. @param name like no other */
export async function writeUntilCutOff(send: Send, ledger: Ledger, name: string): Promise<void> {
  try {
    for (let count = 0; ; count++) await writeOnce(send, ledger, `${name}, bookmark ${count}`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    ledger.cutOff++;
  }
}

/** One bookmark's life: some are changed, some deleted, some both. */
async function writeOnce(send: Send, ledger: Ledger, title: string): Promise<void> {
  // Longer than a page of the database, so that a bookmark could be there by half.
  const json = { title, url: "https://example.com/", description: `${title} `.repeat(300) };
  ledger.creating(json);
  const bookmark = await bookmarkIn(await answered(send(COLLECTION, { method: "POST", json }), 201));
  ledger.created(bookmark);
  const { id } = bookmark;
  if (Math.random() < 0.5) {
    const changed = { ...bookmark, url: "https://changed.example/", description: "changed ".repeat(1_000) };
    ledger.changing(id, changed);
    const response = await answered(send(pathOf(bookmark), { method: "PUT", json: changed }), 200);
    ledger.changed(id, await bookmarkIn(response));
  }
  if (Math.random() < 0.5) {
    ledger.changing(id, "gone");
    await answered(send(pathOf(bookmark), { method: "DELETE" }), 204);
    ledger.changed(id, "gone");
  }
}

async function answered(sending: Promise<Response>, status: number): Promise<Response> {
  const response = await sending;
  expect(response.status).toBe(status);
  return response;
}
