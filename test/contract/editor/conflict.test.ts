import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("The address of a post, when another post has it", (service) => {
  test("is an error of its field, with the typed text", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const publish = (content: string) =>
      submit(withHeaders(request, { cookie }), `/write/${crypto.randomUUID()}`, {
        title: "Quinces",
        content,
        slug: "quinces",
        action: "publish",
      });
    expect((await publish("First.")).status).toBe(303);
    const refused = await publish("Second.");
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(html).toContain('<a href="#slug">Address: Another post has this address. Choose another one.</a>');
    expect(fieldValue(html, "slug")).toBe("quinces");
    expect(fieldValue(html, "content")).toBe("Second.");
  });
});

describeApp("A post that has changed while it was edited", (service) => {
  test("can be taken as it is saved: the typed text stays as a separate one, which cannot replace it unseen", async () => {
    const { request, database } = await service.startApp();
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const text = async (path: string) => (await send(path)).text();
    /** Sends the form of a page with other values. */
    const change = async (html: string, path: string, values: Record<string, string>) => {
      const names = ["title", "content", "tags", "post", "base_version", "version"];
      const form = Object.fromEntries(names.map((name) => [name, fieldValue(html, name) ?? ""]));
      return submit(send, path, { ...form, ...values });
    };
    const noticeOf = ({ headers }: Response) => /notice=([\w-]+)/.exec(headers.get("set-cookie") ?? "")?.[1];

    const published = await change("", `/write/${crypto.randomUUID()}`, {
      title: "Quinces",
      content: "First.",
      tags: "fruit",
      action: "publish",
    });
    expect(noticeOf(published)).toBe("post-published");
    const [one, other] = [`/write/${crypto.randomUUID()}`, `/write/${crypto.randomUUID()}`];
    const [shownToOne, shownToOther] = [await text(`${one}?post=1`), await text(`${other}?post=1`)];
    const saved = { content: "Of one.", tags: "fruit, autumn", action: "publish" };
    const updated = await change(shownToOne, one, saved);
    expect(noticeOf(updated)).toBe("post-updated");

    const refused = await change(shownToOther, other, { content: "Of the other.", action: "publish" });
    expect(refused.status).toBe(409);
    const conflict = await refused.text();
    const action = /value="([\w-]+)" type="submit">Use the saved version/.exec(conflict)?.[1] ?? "";
    const chosen = await change(conflict, other, { content: "Of the other, and more.", action });
    expect([chosen.status, noticeOf(chosen)]).toEqual([303, "text-kept"]);
    const editor = await text(other);
    expect(fieldValue(editor, "content")).toBe("Of one.");
    expect(fieldValue(editor, "tags")).toBe("fruit, autumn");

    const edits = await database.read<{ key: string; content: string }>`select key, content from edits`;
    expect(edits.map(({ content }) => content).toSorted()).toEqual(["Of one.", "Of the other, and more."]);
    const separate = `/write/${edits.find(({ content }) => content !== "Of one.")?.key}`;
    expect((await change(await text(separate), separate, { action: "publish" })).status).toBe(409);
    expect(await text("/posts/quinces")).toContain("Of one.");
    expect((await change(editor, other, { content: "Of both.", action: "publish" })).status).toBe(303);
    expect(await text("/posts/quinces")).toContain("Of both.");
  });
});
