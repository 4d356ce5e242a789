import { expect } from "bun:test";
import type { Send, SendInit } from "../requests/send.ts";
import { create, read } from "./bookmarks.ts";

/** The response to a bulk change of bookmarks. */
export interface Changed {
  readonly matched?: number;
  readonly changed: number;
  readonly undo: string | null;
}

/** Creates bookmarks with these descriptions. @returns their ids */
export async function createAll(send: Send, descriptions: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const description of descriptions) ids.push((await create(send, { description })).id);
  return ids;
}

/** Reads the descriptions of bookmarks. */
export function descriptionsOf(send: Send, ids: readonly number[]): Promise<string[]> {
  return Promise.all(ids.map(async (id) => (await read(send, { id })).description));
}

/** Sends a request, which must succeed. Returns the JSON of its response. */
export async function json<T>(send: Send, path: string, init: SendInit = {}): Promise<T> {
  const response = await send(path, init);
  expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)]);
  return (await response.json()) as T;
}

export function renameTag(send: Send, name: string, to: string, query = ""): Promise<Changed> {
  return json(send, `/api/tags/?name=${encodeURIComponent(name)}${query}`, {
    method: "PATCH",
    json: { name: to },
  });
}
