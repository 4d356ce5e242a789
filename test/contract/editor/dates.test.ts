import { expect, test } from "bun:test";
import { SYSTEM_CLOCK } from "../../../src/clock.ts";
import { makeAccount, makeSession, withHeaders } from "../../support/records/accounts.ts";
import { createPost } from "../../support/records/blog.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";
import { type AppService, describeApp } from "../../support/server/contract.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const DUE = "2026-11-21T13:00";

/** The second 02:30 of a night in which the clocks of Vienna are set back, and the first. */
const DOUBLED = {
  published_at: ["2025-10-26T01:30:45.678Z", "2025-10-26T00:30:45.678Z"],
  publish_at: ["2027-10-31T01:30:45.678Z", "2027-10-31T00:30:45.678Z"],
};

/** A site whose clock is set, and its author. */
async function start(service: AppService) {
  let now = NOW;
  const clock = { ...SYSTEM_CLOCK, now: () => now };
  const { request, database } = await service.startApp({}, clock);
  const cookie = await makeSession(database, await makeAccount(database, "ada"));
  const send = withHeaders(request, { cookie });
  const setTime = (time: string) => {
    now = new Date(time);
  };
  return { send, request, cookie, setTime };
}

/** The editor's form, submitted. */
const form = (send: Send, key: string, fields: Record<string, string>) =>
  submit(send, `/write/${key}`, {
    title: "Quinces",
    content: "",
    post: "",
    base_version: "",
    version: "0",
    ...fields,
  });

async function schedule(send: Send): Promise<{ readonly id: number }> {
  const key = crypto.randomUUID();
  const response = await form(send, key, { content: "First.", publish_at: DUE, action: "publish" });
  expect(response.headers.get("location")).toBe("/write");
  const { results } = (await (await send("/api/drafts/")).json()) as { results: { id: number }[] };
  return { id: results[0]?.id ?? 0 };
}

/** What an editor saves while its author writes. */
const autosave = (send: Send, id: number, edit: object) =>
  send(`/api/edits/${crypto.randomUUID()}/`, {
    method: "PUT",
    json: { post: id, base_version: 1, title: "Quinces", content: "First.", ...edit },
  });

async function partOf(send: Send, part: string): Promise<string> {
  const html = await (await send("/write")).text();
  return html.split(`aria-labelledby="${part}"`)[1]?.split("</section>")[0] ?? "";
}

const publicationOf = async (send: Send, id: number) =>
  (await (await send(`/api/posts/${id}/publication/`)).json()) as Record<string, unknown>;
const postOf = async (send: Send, id: number) =>
  (await (await send(`/api/posts/${id}/`)).json()) as Record<string, unknown>;

describeApp("The dates of a post", (service) => {
  test.each([
    [
      "the text and details saved last",
      { content: "Last.", fields: { publish_at: DUE, tags: "fruit" } },
      "Last.",
      ["fruit"],
      404,
    ],
    [
      "the text saved last, without details that are not valid",
      { content: "Last.", fields: { slug: "!", tags: "fruit" } },
      "Last.",
      [],
      200,
    ],
    [
      "the text saved last, under its title while the new one is empty",
      { title: "", content: "Last." },
      "Last.",
      [],
      200,
    ],
    [
      "the text that was scheduled, not one made from another version",
      { base_version: 7, content: "Last." },
      "First.",
      [],
      200,
    ],
  ] as const)("a scheduled post is published with %s", async (_, edit, content, tags, status) => {
    const { send, setTime } = await start(service);
    const { id } = await schedule(send);
    const saved = await autosave(send, id, edit);
    const key = saved.headers.get("location")?.split("/")[3] ?? "";
    const title = "title" in edit ? "Untitled" : "Quinces";
    expect(await partOf(send, "scheduled")).toContain(title);
    expect(await partOf(send, "drafts")).toBe("");
    setTime("2026-11-21T13:00:01Z");
    expect(await postOf(send, id)).toMatchObject({ title: "Quinces", content, published: true });
    expect(await publicationOf(send, id)).toMatchObject({ tags, published_at: "2026-11-21T13:00:00.000Z" });
    // What was not published is still there, among the changes of the post.
    expect((await send(`/api/edits/${key}/`)).status).toBe(status);
    expect(await partOf(send, "changes")).toContain(status === 200 ? title : "");
  });

  test("a scheduled post waits when a later time was saved", async () => {
    const { send, setTime } = await start(service);
    const { id } = await schedule(send);
    await autosave(send, id, { content: "Last.", fields: { publish_at: "2026-11-21T15:30" } });
    setTime("2026-11-21T14:00:00Z");
    expect((await send(`/api/posts/${id}/`)).status).toBe(404);
    expect(await partOf(send, "scheduled")).toContain("15:30");
    setTime("2026-11-21T15:31:00Z");
    expect(await postOf(send, id)).toMatchObject({ content: "Last." });
    expect((await publicationOf(send, id)).published_at).toBe("2026-11-21T15:30:00.000Z");
  });

  test("the button says Schedule when the date is in the future, and the notice names the time and zone", async () => {
    const { send, request, cookie } = await start(service);
    const key = crypto.randomUUID();
    await form(send, key, { publish_at: "2999-01-01T09:30", action: "save" });
    expect(await (await send(`/write/${key}`)).text()).toMatch(/value="publish"[^>]*>Schedule</);
    const scheduled = await form(send, key, {
      publish_at: "2999-01-01T09:30",
      version: "1",
      action: "publish",
    });
    const [notice = ""] = /commonplace_notice=[^;]+/.exec(scheduled.headers.getSetCookie().join("; ")) ?? [];
    const page = await request("/write", { headers: { cookie: `${cookie}; ${notice}` } });
    expect(await page.text()).toContain("“Quinces” will be published on Jan\u00a01,\u00a02999, 09:30 UTC.");
  });

  test("a new post has the date of the past that was chosen, and another one when that is changed", async () => {
    const { send } = await start(service);
    const published = await form(send, crypto.randomUUID(), {
      publish_at: "1999-12-31T23:59",
      action: "publish",
    });
    expect(published.headers.get("location")).toBe("/posts/quinces");
    const { results } = (await (await send("/api/posts/")).json()) as { results: { id: number }[] };
    const id = results[0]?.id ?? 0;
    expect((await publicationOf(send, id)).published_at).toBe("1999-12-31T23:59:00.000Z");
    const html = await (await send(`/write/${crypto.randomUUID()}?post=${id}`)).text();
    expect(fieldValue(html, "publish_at")).toBe("1999-12-31T23:59");
    const update = (publish_at: string) =>
      form(send, crypto.randomUUID(), { post: String(id), base_version: "1", publish_at, action: "publish" });
    for (const [typed, date] of [
      ["2001-02-03T04:05", "2001-02-03T04:05:00.000Z"],
      ["", "2001-02-03T04:05:00.000Z"],
    ] as const) {
      expect((await update(typed)).headers.get("location")).toBe("/posts/quinces");
      expect((await publicationOf(send, id)).published_at).toBe(date);
    }
    const refused = await update("2999-01-01T09:30");
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining("A published post has a date in the past."),
    ]);
  });

  test("the date of a post that has seconds stays when the post is updated without a change of it", async () => {
    const { send } = await start(service);
    const { id } = await createPost(send, { title: "Quinces", content: "" });
    const json = { published_at: "2020-01-02T03:04:05.678Z" };
    await send(`/api/posts/${id}/publication/`, { method: "PATCH", json });
    await form(send, crypto.randomUUID(), {
      ...{ post: String(id), base_version: "1", content: "New." },
      ...{ publish_at: "2020-01-02T03:04", action: "publish" },
    });
    expect(await postOf(send, id)).toMatchObject({ content: "New." });
    expect((await publicationOf(send, id)).published_at).toBe(json.published_at);
  });

  test.each(["published_at", "publish_at"] as const)(
    "%s in the doubled hour stays when it is not touched",
    async (member) => {
      const { send } = await start(service);
      for (const date of DOUBLED[member]) {
        expect(
          (await send("/api/site/", { method: "PATCH", json: { time_zone: "Europe/Vienna" } })).status,
        ).toBe(200);
        const post = { title: `Quinces ${date}`, content: "", published: member === "published_at" };
        const { id } = await createPost(send, post);
        const publication = `/api/${post.published ? "posts" : "drafts"}/${id}/publication/`;
        expect((await send(publication, { method: "PATCH", json: { [member]: date } })).status).toBe(200);
        const html = await (await send(`/write/${crypto.randomUUID()}?post=${id}`)).text();
        expect(fieldValue(html, "publish_at")).toBe(`${date.slice(0, 10)}T02:30`);
        await form(send, crypto.randomUUID(), {
          ...{
            title: post.title,
            post: String(id),
            base_version: fieldValue(html, "base_version") ?? "",
            content: "New.",
          },
          ...{ publish_at: fieldValue(html, "publish_at") ?? "", action: "publish" },
        });
        expect(await (await send(publication)).json()).toMatchObject({ [member]: date });
        const { content } = (await (await send(publication.replace("publication/", ""))).json()) as {
          content: string;
        };
        expect(content).toBe("New.");
      }
    },
  );
});
