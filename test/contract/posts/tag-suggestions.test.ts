import { expect, test } from "bun:test";
import { makeAccount, makeToken, withToken } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("The tags of posts, while one is typed", (service) => {
  test("begin with what is typed, with the number of posts and drafts, the most frequent first", async () => {
    const { request, database } = await service.startApp();
    const send = withToken(request, await makeToken(database, await makeAccount(database, "ada")));
    const tagged = async (published: boolean, ...tags: string[]) => {
      const { id } = await createPost(send, { title: "T", content: "C", published });
      const path = `/api/${published ? "posts" : "drafts"}/${id}/publication/`;
      expect((await send(path, { method: "PATCH", json: { tags } })).status).toBe(200);
    };
    await tagged(true, "notes", "Notebooks");
    await tagged(false, "Notebooks", "north");
    await tagged(true, "n%", "other");

    const suggested = async (q: string) =>
      (await (await send(`/api/drafts/suggest/?${new URLSearchParams({ q })}`)).json()) as unknown;
    const [notebooks, notes] = [
      { name: "Notebooks", count: 2 },
      { name: "notes", count: 1 },
    ];
    expect(await suggested("#not")).toEqual({ tags: [notebooks, notes] });
    expect(await suggested("NOT")).toEqual({ tags: [notebooks, notes] });
    expect(await suggested("n%")).toEqual({ tags: [{ name: "n%", count: 1 }] });
    expect(await suggested("")).toEqual({ tags: [] });
    const anonymous = await request("/api/drafts/suggest/?q=n");
    expect(anonymous.status).toBe(401);
  });
});
