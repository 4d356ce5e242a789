import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

describeApp("Answering a waiting comment", (service) => {
  test("approves it and adds the answer in one step, or does neither", async () => {
    const { request, database } = await service.startApp({ COMMENTS: "moderated" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const { id } = await createPost(send, { title: "Quinces", content: "" });
    const path = `/api/posts/${id}/comments/`;
    for (const text of ["Is it true?", "Really?"])
      await request(path, { method: "POST", json: { author: "Mirela", text } });
    const shown = async () => {
      const { comments } = (await (await send(`/api/posts/${id}/`)).json()) as {
        comments: { author: string; text: string; id: number }[];
      };
      return comments.map(({ author, text }) => `${author}: ${text}`);
    };
    // Where it is listed, it has a field, whose form stands below the list.
    const html = await (await send("/moderation")).text();
    const [comment = ""] = [...html.matchAll(/name="answer" value="(\d+)"/g)].map(([, value]) => value);
    expect(html).toMatch(new RegExp(`<textarea name="text" form="reply-${comment}"[^>]* required`));
    expect(html).toMatch(
      new RegExp(`</form>.*<form id="reply-${comment}" method="post" action="/moderation">`),
    );
    expect(html).not.toContain('name="reply"');
    const asked = await submit(send, "/moderation", { reply: comment });
    expect(await asked.text()).toContain("Is it true?");
    const empty = await submit(send, "/moderation", { answer: comment, text: " " });
    expect([empty.status, await empty.text()]).toEqual([422, expect.stringContaining("Write a reply.")]);
    expect(await shown()).toEqual([]);
    // Today has the same field, and is where it leads back.
    const today = await (await send("/today")).text();
    expect(today).toMatch(
      new RegExp(`<form id="reply-${comment}"[^>]*><input type="hidden" name="back" value="/today"/></form>`),
    );
    const answered = await submit(send, "/moderation", { answer: comment, text: "It is.", back: "/today" });
    expect([answered.status, answered.headers.get("location")]).toEqual([303, "/today"]);
    expect(await shown()).toEqual(["Mirela: Is it true?", "ada: It is."]);
    // The answer stands below it.
    expect(await (await send("/posts/quinces")).text()).toMatch(
      /Is it true\?<\/p><ol><li id="c\d+" class="h-cite p-comment">.*It is\.<\/p><\/li><\/ol><\/li>/,
    );
    expect(await (await send("/moderation?status=shown")).text()).toContain(
      "Quinces</a>, in reply to <bdi>Mirela</bdi>",
    );
    // A second press adds nothing, and shows the answer again.
    const twice = await submit(send, "/moderation", { answer: comment, text: "It is." });
    expect([twice.status, await twice.text()]).toEqual([409, expect.stringContaining("It is.")]);
    expect(await shown()).toHaveLength(2);
    expect(await (await send("/moderation?selected=all")).text()).toMatch(/name="id" value="\d+" checked/);
  });

  test("leads back to the search of the list, also after it was refused", async () => {
    const { request, database } = await service.startApp({ COMMENTS: "moderated" });
    const send = withHeaders(request, {
      cookie: await makeSession(database, await makeAccount(database, "ada")),
    });
    const { id } = await createPost(send, { title: "Quinces", content: "" });
    const path = `/api/posts/${id}/comments/`;
    await request(path, { method: "POST", json: { author: "Mirela", text: "Is it a casino?" } });
    const html = await (await send("/moderation?q=casino")).text();
    const [, comment = "", fields = ""] = /<form id="reply-(\d+)"[^>]*>(.*?)<\/form>/.exec(html) ?? [];
    const search = '<input type="hidden" name="q" value="casino"/><input type="hidden" name="from" value/>';
    expect(fields).toBe(search);
    const given = { answer: comment, q: "casino", from: "" };
    const refused = await (await submit(send, "/moderation", { ...given, text: "" })).text();
    expect(refused).toContain(search);
    expect(refused).toContain('href="/moderation?q=casino"');
    const ofToday = { answer: comment, text: "", back: "/today" };
    expect(await (await submit(send, "/moderation", ofToday)).text()).toMatch(
      /<input type="hidden" name="back" value="\/today"\/>.*href="\/today"/,
    );
    const answered = await submit(send, "/moderation", { ...given, text: "It is not." });
    expect(answered.headers.get("location")).toBe("/moderation?q=casino");
  });

  test("begins at each comment of a post, for those who moderate alone, and leads back to the answer", async () => {
    const { request, database } = await service.startApp({ COMMENTS: "open" });
    const cookie = await makeSession(database, await makeAccount(database, "ada"));
    const send = withHeaders(request, { cookie });
    const { id } = await createPost(send, { title: "Quinces", content: "" });
    const add = async (author: string, text: string) => {
      const path = `/api/posts/${id}/comments/`;
      return (
        (await (await request(path, { method: "POST", json: { author, text } })).json()) as { id: number }
      ).id;
    };
    const [first, second] = [await add("Mirela", "Is it true?"), await add("Radu", "Surely not.")];
    const replies = async (with_: typeof send) =>
      [...(await (await with_("/posts/quinces")).text()).matchAll(/href="\/moderation\?reply=(\d+)"/g)].map(
        ([, comment]) => Number(comment),
      );
    expect(await replies(request)).toEqual([]);
    expect(await replies(send)).toEqual([first, second]);
    expect((await request(`/moderation?reply=${first}`)).headers.get("location")).toStartWith("/sign-in");
    const form = await (await send(`/moderation?reply=${first}`)).text();
    expect(form).toContain("Is it true?");
    expect(form).toContain('<input type="hidden" name="in" value="post"/>');
    expect(form).toContain(`href="/posts/quinces#c${first}"`);
    expect(form).not.toContain("Replying approves");
    const refused = await submit(send, "/moderation", { answer: String(first), text: "", in: "post" });
    expect(await refused.text()).toContain('<input type="hidden" name="in" value="post"/>');
    const sent = await submit(send, "/moderation", { answer: String(first), text: "It is.", in: "post" });
    expect(sent.headers.get("location")).toMatch(/^\/posts\/quinces#c\d+$/);
    expect(await (await request("/posts/quinces")).text()).toContain("It is.");
    // In the list of approved comments, too, where it stays.
    const listed = await (await send("/moderation?status=shown")).text();
    expect(listed).toContain(`name="reply" value="${second}"`);
    const again = await submit(send, "/moderation", { answer: String(second), text: "Perhaps." });
    expect(again.headers.get("location")).toBe("/moderation?status=shown");
  });
});
