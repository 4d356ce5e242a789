import { POSTS } from "../../support/records/blog.ts";
import { COLLECTION } from "../../support/records/bookmarks.ts";
import { type Send, sendTo } from "../../support/requests/send.ts";
import type { Random } from "../../support/run/random.ts";
import { type State, stateOf, writeMark } from "./marks.ts";

/** Clients that create, change and delete records. They record what they send and what is confirmed. */
export class Load {
  readonly #marks: number;
  readonly #random: Random;
  readonly #clients: number;
  #writers: Promise<void>[] = [];
  #records = 0;
  #requests = 0;
  #confirmed = 0;
  #awaited: { readonly count: number; readonly resolve: () => void }[] = [];

  /**
   * @param marks the descriptor of the open file of marks
   * @param clients the number of clients that write bookmarks; half as many write posts
   */
  constructor(marks: number, random: Random, clients: number) {
    this.#marks = marks;
    this.#random = random;
    this.#clients = clients;
  }

  start(url: string): void {
    const send = sendTo(url);
    const writers = (count: number, live: (send: Send) => Promise<void>) =>
      Array.from({ length: count }, () => this.#writeUntilCutOff(() => live(send)));
    this.#writers = [
      ...writers(this.#clients, (send) => this.#liveOfBookmark(send)),
      ...writers(this.#clients / 2, (send) => this.#liveOfPost(send)),
    ];
  }

  /** Resolves when this many more writes are confirmed; rejects if a writer has failed. */
  async confirms(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.push({ count: this.#confirmed + count, resolve });
    const cutOff = Promise.all(this.#writers).then(() => Promise.reject(new Error("The server is gone")));
    await Promise.race([promise, cutOff]);
  }

  /** Ends the server while clients write; resolves when all clients have noticed. */
  async endsWith(end: () => Promise<void>): Promise<void> {
    await Promise.all([end(), ...this.#writers]);
    this.#writers = [];
  }

  async #writeUntilCutOff(live: () => Promise<void>): Promise<void> {
    try {
      for (;;) await live();
    } catch (error) {
      // Refused and reset connections, and the refusals of a stopping server, are expected.
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }

  async #liveOfBookmark(send: Send): Promise<void> {
    const title = `made ${this.#records++}`;
    const name = `bookmark ${title}`;
    const draft = { title, url: "https://example.com/", description: this.#text() };
    const id = await this.#write(send, "POST", COLLECTION, {
      name,
      state: stateOf(draft.url, draft.description),
      json: draft,
    });
    const path = `${COLLECTION}${id}`;
    if (this.#random.chance(0.5)) {
      const json = { ...draft, url: "https://changed.example/", description: this.#text() };
      await this.#write(send, "PUT", path, { name, state: stateOf(json.url, json.description), json });
    }
    if (this.#random.chance(0.5)) await this.#write(send, "DELETE", path, { name, state: null });
  }

  async #liveOfPost(send: Send): Promise<void> {
    const title = `written ${this.#records++}`;
    const name = `post ${title}`;
    const json = { title, content: this.#text(), published: true };
    const id = await this.#write(send, "POST", POSTS, { name, state: stateOf(json.content, true), json });
    if (this.#random.chance(0.5)) await this.#write(send, "DELETE", `${POSTS}${id}/`, { name, state: null });
  }

  /** @returns the record's id, if the response contains it */
  async #write(
    send: Send,
    method: string,
    path: string,
    { name, state, json }: { name: string; state: State; json?: unknown },
  ): Promise<number | undefined> {
    const request = `request-${this.#requests++}`;
    writeMark(this.#marks, { kind: "sent", request, changes: { [name]: state } });
    const headers = { "x-request-id": request };
    const response = await send(path, { method, headers, ...(json !== undefined && { json }) });
    const body = await response.text();
    if (!response.ok)
      throw Object.assign(new Error(`${response.status}: ${body}`), { code: response.status });
    const id = body === "" ? undefined : Number(JSON.parse(body).id);
    writeMark(this.#marks, { kind: "answered", request, ...(id !== undefined && { name, id }) });
    this.#confirmed++;
    for (const { count, resolve } of this.#awaited) if (this.#confirmed >= count) resolve();
    return id;
  }

  /** Usually short. Sometimes longer than a page of the database, so that a partial write is possible. */
  #text(): string {
    return `word${this.#random.below(1_000)} `.repeat(
      1 + this.#random.below(this.#random.chance(0.3) ? 1_200 : 30),
    );
  }
}
