import { expect, test } from "bun:test";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import { describeContract } from "../../support/server/contract.ts";

describeContract("Answering a waiting comment", (service) => {
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
    const html = await (await send("/moderation")).text();
    const [comment = ""] = [...html.matchAll(/name="reply" value="(\d+)"/g)].map(([, value]) => value);
    const asked = await submit(send, "/moderation", { reply: comment });
    expect(await asked.text()).toContain("Is it true?");
    const empty = await submit(send, "/moderation", { answer: comment, text: " " });
    expect([empty.status, await empty.text()]).toEqual([422, expect.stringContaining("Write a reply.")]);
    expect(await shown()).toEqual([]);
    const answered = await submit(send, "/moderation", { answer: comment, text: "It is." });
    expect([answered.status, answered.headers.get("location")]).toEqual([303, "/moderation"]);
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
});
