import { expect, test } from "bun:test";
import type { Account } from "../../../src/accounts/account.ts";
import { revokeToken } from "../../../src/accounts/keys.ts";
import type { Scope } from "../../../src/accounts/scope.ts";
import { dayOf } from "../../../src/agents/token-changes.ts";
import { undoSpan } from "../../../src/agents/undo-day.ts";
import { changeStates } from "../../../src/bookmarks/bookmark-states.ts";
import type { Database } from "../../../src/database/database.ts";
import { keepMark } from "../../../src/marks/mark-changes.ts";
import { saveSite } from "../../../src/web/site/site-store.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { watched } from "../../support/pages/site.ts";
import {
  disableAccount,
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { makeAgent, type TestAgent } from "../../support/records/agents.ts";
import { create } from "../../support/records/bookmarks.ts";
import { submit } from "../../support/requests/forms.ts";
import { expectErrors, expectProblem } from "../../support/requests/problems.ts";
import type { Send } from "../../support/requests/send.ts";
import { describeApp } from "../../support/server/contract.ts";

interface DayUndone {
  readonly undone: number;
  readonly kept: readonly { kind: string; id: number; title: string; url: string; why: string }[];
}

interface Site {
  readonly database: Database;
  readonly request: Send;
  readonly account: Account;
  readonly clock: StoppedClock;
  /** Signed in in a browser. */
  readonly person: Send;
  /** A program of the same person. */
  readonly program: Send;
  readonly agent: TestAgent;
}

const DAY = "2026-01-01";
const HOUR = 60 * 60 * 1000;
const UNDO_DAY = "/api/undo/day/";

describeApp("Undoing what an agent did on a day", (service) => {
  const { once } = service;
  const start = async (): Promise<Site> => {
    const clock = new StoppedClock();
    const { database, request } = await service.startApp({ BOOKMARKS_ACCESS: "private" }, clock);
    const account = await makeAccount(database, "ada");
    const person = withHeaders(request, { cookie: await makeSession(database, account) });
    const program = withToken(request, await makeToken(database, account));
    const agent = await makeAgent(database, account);
    return { ...{ database, request, account, clock, person, program }, agent };
  };
  const undo = async ({ person, agent }: Pick<Site, "person" | "agent">, day = DAY): Promise<DayUndone> => {
    const answer = await person(UNDO_DAY, { method: "POST", json: { token: agent.tokenId, day } });
    expect(answer.status).toBe(200);
    return (await answer.json()) as DayUndone;
  };
  const count = async ({ program }: Site) =>
    ((await (await program("/bookmarks/")).json()) as unknown[]).length;

  once("takes back more than a page of changes, of which one is of two batches, newest first", async () => {
    const site = await start();
    const { database, agent, clock } = site;
    const ids: number[] = [];
    for (let index = 0; index < 105; index++) {
      clock.move(1);
      ids.push(await agent.add(`A ${index}`));
    }
    clock.move(1);
    await agent.tag(ids, "by-hand");
    await agent.archive(ids);
    let page: string | undefined = `/keys/${agent.tokenId}/changes`;
    let listed = 0;
    while (page !== undefined) {
      const html = await (await site.person(page)).text();
      listed += html.match(/name="undo"/g)?.length ?? 0;
      page = /href="(\S+\?before=\d+)" rel="next"/.exec(html)?.[1];
    }
    expect(listed).toBe(105 + 2);
    const { undone, kept } = await undo(site);
    expect({ undone, kept }).toEqual({ undone: 3 * 105, kept: [] });
    expect(await count(site)).toBe(0);
    expect(await undo(site)).toEqual({ undone: 0, kept: [] });
    const [left] =
      await database.read`select count(*) as n from changes where undone_at is null and token_id is not null`;
    expect(Number(left?.n)).toBe(0);
  });

  once("lists of changes name the agent, to accounts alone", async () => {
    const { database, request } = await service.startApp({ BOOKMARKS_ACCESS: "open" });
    const account = await makeAccount(database, "ada");
    const person = withHeaders(request, { cookie: await makeSession(database, account) });
    const agent = await makeAgent(database, account, { name: "Claude & co" });
    const id = await agent.add("By an agent");
    await agent.tag([id], "river");
    await submit(person, `/library/${id}/tags`, { tags: "mill" });
    const agents = async (by: Send) =>
      ((await (await by("/api/undo/")).json()) as { kind: string; agent?: string }[]).map((change) => [
        change.kind,
        change.agent,
      ]);
    const byAgent = [
      ["bulk", "Claude & co"],
      ["create", "Claude & co"],
    ];
    expect((await agents(person)).slice(-2)).toEqual(byAgent);
    expect((await agents(request)).map(([, name]) => name)).not.toContain("Claude & co");
    const history = async (by: Send) => (await by(`/library/${id}`)).text();
    expect(await history(person)).toContain(" by <bdi>Claude &amp; co</bdi>, ");
    expect((await history(person)).split(" by <bdi>")).toHaveLength(2);
    expect(await history(request)).not.toContain("Claude");
  });

  once("looks through the changes of a day once, however many there are", async () => {
    const { database, agent, clock } = await start();
    let statements = 0;
    const counting = watched(database, async (text) => {
      if (/token_id = /.test(text)) statements++;
    });
    const lookedFor = async (changes: number) => {
      for (let index = 0; index < changes; index++) await agent.add("A");
      statements = 0;
      const now = clock.now();
      expect(await undoSpan(counting, dayOf(agent.tokenId, DAY, "UTC"), now, () => {})).toMatchObject({
        undone: changes,
      });
      return statements;
    };
    expect(await lookedFor(250)).toBe(await lookedFor(1));
  });

  once("names each record that somebody else has touched since, and why, each time it is asked", async () => {
    const site = await start();
    const { database, agent, clock, program, account } = site;
    const ids = { edited: 0, archived: 0, marked: 0, merged: 0, deleted: 0, alone: 0 };
    for (const name of ["edited", "archived", "marked", "merged", "deleted", "alone"] as const) {
      ids[name] = await agent.add(name, `https://example.com/${name}`);
      clock.move(1);
    }
    await agent.edit(ids.edited, "edited again");
    const published = await agent.draft("published");
    const written = await agent.draft("written");
    const revised = await agent.draft("revised");
    await agent.revise(revised, "More.");
    clock.move(1);
    const now = clock.now();
    await program(`/bookmarks/${ids.edited}`, { method: "PATCH", json: { title: "by a person" } });
    await changeStates(database, [ids.archived], { archived: true }, now);
    const quote = { quote: "words", prefix: "", suffix: "", position: null };
    const about = { bookmarkId: ids.marked, note: "", accountId: account.id };
    await database.write((sql) => keepMark(sql, quote, about, now));
    const own = await create(program, { title: "merged", url: "https://example.com/own", description: "" });
    const merge = { method: "POST", json: { keep: ids.merged, drop: [own.id] } };
    const merged = (await (await program("/bookmarks/merge", merge)).json()) as { undo: string };
    await program(`/bookmarks/${ids.deleted}`, { method: "DELETE" });
    await program(`/api/drafts/${published}/`, { method: "PATCH", json: { published: true } });
    const key = crypto.randomUUID();
    await program(`/api/edits/${key}/`, { method: "PUT", json: { post: written, title: "x" } });
    const first = await undo(site);
    const said = first.kept.map(({ kind, id, title, why }) => `${kind} ${id} ${title}: ${why}`).toSorted();
    expect(said).toEqual(
      [
        `bookmark ${ids.edited} by a person: changed`,
        `bookmark ${ids.archived} archived: changed`,
        `bookmark ${ids.marked} marked: used`,
        `bookmark ${ids.merged} merged: used`,
        `bookmark ${ids.deleted} deleted: gone`,
        `post ${published} published: published`,
        `post ${written} written: edited`,
      ].toSorted(),
    );
    expect(first.undone).toBe(3);
    expect(await undo(site)).toEqual({ undone: 0, kept: first.kept });
    expect((await program(merged.undo, { method: "POST" })).status).toBe(200);
    expect(await undo(site)).toMatchObject({ undone: 1 });
    expect((await program(`/bookmarks/${ids.merged}`)).status).toBe(404);
    expect((await program(`/api/drafts/${revised}/`)).status).toBe(404);
  });

  once(
    "a taken back link can be restored, and one that came in with the agent's note is whole then",
    async () => {
      const site = await start();
      const { agent, person } = site;
      const id = await agent.add("Once more");
      await agent.tag([id], "kept");
      await undo(site);
      expect(await (await person("/library/removed")).text()).toContain("Once more");
      const restored = await submit(person, "/library/removed", { bookmark: String(id) });
      expect(restored.status).toBe(303);
      expect(await count(site)).toBe(1);
      expect(await undo(site)).toEqual({ undone: 0, kept: [] });
    },
  );

  once("a day is one of the site's time zone, of 23 hours when summer time begins", async () => {
    const site = await start();
    const { database, agent, clock } = site;
    await database.write((sql) => saveSite(sql, { timeZone: "Europe/Berlin" }, clock.now()));
    const goTo = (at: string) => clock.move(Date.parse(at) - clock.now().getTime());
    for (const at of [
      "2026-03-28T22:59:59.999Z",
      "2026-03-28T23:00:00.000Z",
      "2026-03-29T21:59:59.999Z",
      "2026-03-29T22:00:00.000Z",
    ]) {
      goTo(at);
      await agent.add(at);
    }
    expect(await undo(site, "2026-03-29")).toEqual({ undone: 2, kept: [] });
    expect(await undo(site, "2026-03-28")).toEqual({ undone: 1, kept: [] });
    expect(await undo(site, "2026-03-30")).toEqual({ undone: 1, kept: [] });
  });

  test("of two who ask at once, both are answered and each change is undone once", async () => {
    const site = await start();
    const { agent, clock } = site;
    const ids: number[] = [];
    for (let index = 0; index < 12; index++) {
      ids.push(await agent.add(`A ${index}`));
      clock.move(1);
    }
    await agent.tag(ids, "x");
    const answers = await Promise.all([undo(site), undo(site), undo(site)]);
    expect(answers.reduce((sum, { undone }) => sum + undone, 0)).toBe(24);
    expect(await count(site)).toBe(0);
    expect(await undo(site)).toEqual({ undone: 0, kept: [] });
  });

  once("the token may have ended; one that is not known, or changed nothing then, is refused", async () => {
    const site = await start();
    const { database, agent, clock, person, account } = site;
    await agent.add("A");
    const idle = await makeAgent(database, account, { name: "Idle" });
    await database.write((sql) => revokeToken(sql, agent.tokenId));
    const ask = (json: unknown) => person(UNDO_DAY, { method: "POST", json });
    const { detail } = await expectProblem(await ask({ token: idle.tokenId, day: DAY }), 404);
    expect(detail).toContain("changed nothing");
    await expectProblem(await ask({ token: agent.tokenId, day: "2026-01-02" }), 404);
    const unknown = await expectProblem(await ask({ token: 999, day: DAY }), 404);
    expect(unknown.detail).toContain("999");
    for (const day of ["2026-02-30", "1 January", "2026-1-1", ""])
      await expectErrors(await ask({ token: agent.tokenId, day }), { pointer: "/day", code: "bad_date" });
    for (const day of ["0000-01-01", "9999-12-31"])
      await expectProblem(await ask({ token: agent.tokenId, day }), 404);
    expect(await undo(site)).toEqual({ undone: 1, kept: [] });
    clock.move(31 * 24 * HOUR);
    await expectProblem(await ask({ token: agent.tokenId, day: DAY }), 404);
  });

  test("nothing comes after it from an agent whose access has ended, also by a request that had begun", async () => {
    const site = await start();
    const { database, agent, person } = site;
    const eve = await makeAccount(database, "eve");
    const hers = await makeAgent(database, eve, { name: "Hers" });
    await agent.add("A");
    await agent.draft("B");
    await database.write((sql) => revokeToken(sql, agent.tokenId));
    await disableAccount(database, eve);
    expect(await undo(site)).toEqual({ undone: 2, kept: [] });
    const added = await person("/bookmarks/", {
      method: "POST",
      json: { title: "C", url: "https://example.com/c" },
    });
    const { id } = (await added.json()) as { id: number };
    for (const change of [
      () => agent.add("D"),
      () => agent.edit(id, "D"),
      () => agent.tag([id], "d"),
      () => agent.archive([id]),
      () => agent.draft("D"),
      () => hers.add("D"),
    ])
      await expect(change()).rejects.toMatchObject({ reason: "unauthenticated" });
    const links = await database.read<{ id: number }>`
      select id from bookmarks where version = 1 and archived is not true`;
    expect(links.map((link) => Number(link.id))).toEqual([id]);
    expect(await database.read`select id from posts`).toEqual([]);
  });

  once("takes the scopes that the changes needed, and says nothing to who may not read", async () => {
    const site = await start();
    const { database, request, account, agent } = site;
    const id = await agent.add("A");
    await agent.draft("B");
    const json = { token: agent.tokenId, day: DAY };
    const ask = async (...scopes: Scope[]) =>
      withToken(request, await makeToken(database, account, { scopes }))(UNDO_DAY, { method: "POST", json });
    await expectProblem(await request(UNDO_DAY, { method: "POST", json }), 401);
    await expectProblem(await ask("bookmarks:read", "posts:read", "account"), 403);
    await expectProblem(await ask("bookmarks:write", "bookmarks:read"), 403);
    await expectProblem(await ask("posts:write", "posts:read"), 403);
    expect(await count(site)).toBe(1);
    // Nor whether there is a token, and whether it changed something else.
    const drafting = await makeAgent(database, account, { name: "Drafting" });
    await drafting.draft("C");
    const program = withToken(
      request,
      await makeToken(database, account, { scopes: ["bookmarks:write", "bookmarks:read"] }),
    );
    const idle = await makeAgent(database, account, { name: "Idle" });
    for (const token of [drafting.tokenId, idle.tokenId, 999]) {
      const refused = await program(UNDO_DAY, { method: "POST", json: { token, day: DAY } });
      expect((await expectProblem(refused, 403)).detail).toContain("posts:write");
    }
    await site.program(`/bookmarks/${id}`, { method: "PATCH", json: { title: "secret" } });
    expect(await (await ask("bookmarks:write", "posts:write", "posts:read")).json()).toEqual({});
    const both = await ask("bookmarks:write", "bookmarks:read", "posts:write", "posts:read");
    expect(await both.json()).toMatchObject({ undone: 0, kept: [{ id, title: "secret", why: "changed" }] });
  });

  test("a kind that the agent begins with meanwhile is left alone", async () => {
    const { database, agent, clock } = await start();
    await agent.add("A");
    let draft: number | undefined;
    const drafting = watched(database, async (text) => {
      if (draft === undefined && text.includes("group by record")) {
        draft = 0;
        draft = await agent.draft("B");
      }
    });
    const permitted: string[] = [];
    const day = dayOf(agent.tokenId, DAY, "UTC");
    expect(await undoSpan(drafting, day, clock.now(), (kind) => permitted.push(kind))).toEqual({
      ...{ undone: 1, kept: [] },
    });
    expect(permitted).toEqual(["bookmark"]);
    expect((await database.read`select id from posts`).map(({ id }) => Number(id))).toEqual([Number(draft)]);
  });

  once(
    "the page lists the changes in words, undoes one or, after a question, a day, and says what stays",
    async () => {
      const site = await start();
      const { agent, clock, person, program } = site;
      const page = `/keys/${agent.tokenId}/changes`;
      const textOf = async (path: string) => (await person(path)).text();
      expect(await textOf(page)).toContain("changed nothing in the last 30 days");
      expect(await textOf("/keys")).not.toContain("What it did");
      const id = await agent.add("Oak");
      await agent.edit(id, "Old oak");
      await agent.tag([id], "trees");
      const draft = await agent.draft("Acorns");
      await agent.revise(draft, "More of them.");
      const deleted = await agent.draft("Galls");
      clock.move(24 * HOUR);
      const later = await agent.add("Beech");
      const listed = await textOf(page);
      for (const words of [
        "Yesterday",
        "Today",
        "Old oak",
        "Edited",
        "Drafted",
        "Revised",
        "Beech",
        "Undo all of this day",
      ])
        expect(listed).toContain(words);
      expect(await textOf("/keys")).toContain(page);
      const [, newest = ""] = /name="undo" value="([0-9a-f]+)"/.exec(listed) ?? [];
      expect((await submit(person, page, { undo: newest })).headers.get("location")).toBe(page);
      expect((await program(`/bookmarks/${later}`)).status).toBe(404);
      const rest = await textOf(page);
      expect(rest).toContain("undone");
      // The one of the day before.
      expect(rest.match(/Undo all of this day/g)).toHaveLength(1);
      expect((await submit(person, page, { undo: newest })).status).toBe(303);
      const question = await textOf(`${page}/${DAY}`);
      expect(question).toContain("6 changes will be undone");
      await program(`/bookmarks/${id}`, { method: "PATCH", json: { title: "My oak" } });
      await program(`/api/drafts/${deleted}/`, { method: "DELETE" });
      const answer = await submit(person, `${page}/${DAY}`, {});
      expect(answer.status).toBe(200);
      const said = await answer.text();
      expect(said).toContain("All else is undone");
      expect(said).toContain("My oak");
      expect(said).toContain("changed since");
      // What is gone has no page.
      expect(said).toContain("<bdi>Galls</bdi>");
      for (const unknown of ["999", "9".repeat(20)])
        expect((await person(`/keys/${unknown}/changes`)).status).toBe(404);
      expect((await person(`${page}/2026-02-30`)).status).toBeGreaterThanOrEqual(400);
    },
  );
});
