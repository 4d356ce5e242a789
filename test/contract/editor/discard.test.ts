import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("Discarding a text in the editor", (service) => {
  test("deletes the text that was shown, not one that another window has saved since", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const path = `/write/${crypto.randomUUID()}`;
    const form = (content: string, version: number, action: string) =>
      submit(send, path, {
        title: "Quinces",
        content,
        post: "",
        base_version: "",
        version: String(version),
        action,
      });
    const texts = async () =>
      (await database.read<{ content: string }>`select content from edits`).map(({ content }) => content);
    await form("First.", 0, "save");
    expect(await (await form("First.", 1, "discard")).text()).toContain("Discard this draft?");
    await form("Second, in another window.", 1, "save");
    const response = await form("First.", 1, "discard-now");
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("Second, in another window.");
    expect(await texts()).toEqual(["Second, in another window."]);
    expect((await form("First.", 2, "discard-now")).status).toBe(303);
    expect(await texts()).toEqual([]);
  });

  test("of a draft deletes nothing when another window has saved a newer text since", async () => {
    const { request, database } = await service.startApp();
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const post = await createPost(send, { title: "Quinces", content: "First.", published: false });
    const path = `/write/${crypto.randomUUID()}`;
    const form = (content: string, version: number, action: string) =>
      submit(send, path, {
        ...{ title: "Quinces", content, post: String(post.id), base_version: "1" },
        ...{ version: String(version), action },
      });
    const texts = async () =>
      (await database.read<{ content: string }>`select content from edits`).map(({ content }) => content);
    await form("Second.", 0, "save");
    await form("Third, on the phone.", 1, "save");
    const response = await form("Second.", 1, "delete-now");
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("Third, on the phone.");
    expect(await texts()).toEqual(["Third, on the phone."]);
    expect((await send(`/api/drafts/${post.id}/`)).status).toBe(200);
    expect((await form("Third, on the phone.", 2, "delete-now")).status).toBe(303);
    expect((await send(`/api/drafts/${post.id}/`)).status).toBe(404);
    await submit(send, "/library/removed", { post: String(post.id) });
    expect(await texts()).toEqual(["Third, on the phone."]);
  });
});
