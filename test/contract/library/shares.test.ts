import { describe, expect, test } from "bun:test";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import { faultsOfAtom, faultsOfJsonFeed } from "../../support/pages/feed-rules.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import { fieldValue, submit } from "../../support/requests/forms.ts";
import { describeApp } from "../../support/server/contract.ts";

interface Created {
  readonly id: number;
  readonly url: string;
}

const FORMS = ["", "/feed.atom", "/feed.json"];

describeApp("A shared list", (service) => {
  const start = async () => {
    const clock = new StoppedClock();
    const app = await service.startApp({ BOOKMARKS_ACCESS: "private", FETCH_PAGES: "off" }, clock);
    const ada = await makeAccount(app.database, "ada");
    const program = withToken(app.request, await makeToken(app.database, ada));
    const browser = withHeaders(app.request, { cookie: await makeSession(app.database, ada) });
    const save = async (title: string, description: string) => {
      const json = {
        title,
        url: `https://${title.toLowerCase().replaceAll(" ", "-")}.example/`,
        description,
      };
      return ((await (await program("/bookmarks/", { method: "POST", json })).json()) as { id: number }).id;
    };
    const share = async (more: object = {}) => {
      const json = { q: "#travel", title: "For Anna", ...more };
      const response = await program("/api/shares/", { method: "POST", json });
      expect(response.status).toBe(201);
      const { id, url } = (await response.json()) as Created;
      expect(url).toMatch(/^http:\/\/[^/]+\/shared\/[A-Za-z0-9]{22}$/);
      return { id, path: new URL(url).pathname };
    };
    /** What a stranger sees: the page and both feeds. */
    const seen = (path: string) =>
      Promise.all(FORMS.map(async (form) => (await app.request(path + form)).text()));
    return { ...app, clock, program, browser, save, share, seen };
  };

  test("shows titles, addresses, tags and dates of what the search finds now, also what is saved later", async () => {
    const { save, share, seen } = await start();
    await save("Night train", "The note of the train. #travel/rail");
    await save("Tax office", "Nothing to share. #money");
    const { path } = await share();
    await save("Ferry", "#travel");
    for (const text of await seen(path)) {
      expect(text).toContain("For Anna");
      expect(text).toContain("Night train");
      expect(text).toContain("https://night-train.example/");
      expect(text).toContain("travel/rail");
      expect(text).toContain("Ferry");
      for (const other of ["Tax office", "Nothing to share", "money"]) expect(text).not.toContain(other);
    }
  });

  test("shows notes only if asked, in its page and its feeds alike", async () => {
    const { save, share, seen } = await start();
    await save("Night train", "Ask Grace for the <b>berth</b>. #travel");
    await save("", "A note without a title. #travel");
    const [without, withNotes] = [await share(), await share({ notes: true })];
    for (const text of await seen(without.path)) expect(text).not.toMatch(/Grace|without a title/);
    for (const text of await seen(withNotes.path)) {
      expect(text).toContain("Ask Grace for the");
      expect(text).not.toContain("<b>");
    }
  });

  test("never shows archived bookmarks, states, or who saved them", async () => {
    const { save, share, seen, browser } = await start();
    const old = await save("Old guide", "#travel");
    const kept = await save("Night train", "#travel");
    const edit = async (id: number, states: Record<string, string>) => {
      const html = await (await browser(`/library/${id}/edit`)).text();
      const fields = { title: fieldValue(html, "title") ?? "", url: fieldValue(html, "url") ?? "" };
      const form = { ...fields, tags: "travel", version: fieldValue(html, "version") ?? "", ...states };
      expect((await submit(browser, `/library/${id}/edit`, form)).status).toBe(303);
    };
    await edit(old, { archived: "1" });
    await edit(kept, { unread: "1" });
    const { path } = await share();
    for (const text of await seen(path)) {
      expect(text).toContain("Night train");
      expect(text).not.toMatch(/Old guide|read later|unread|archived|\bada\b/i);
      // Its readers are not led to pages that they may not see.
      expect(text).not.toContain(`/library/${kept}`);
    }
  });

  test("has pages, the newest first, and feeds of the newest hundred", async () => {
    const { save, share, seen, request } = await start();
    for (let number = 1; number <= 101; number++) await save(`Stop number ${number}`, "#travel");
    const { path } = await share();
    const [page = "", atom = "", json = "{}"] = await seen(path);
    const next = /href="([^"]*cursor=[^"]*)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const rest = await (await request(next)).text();
    expect([page, rest].map((text) => text.split("https://stop-number-").length - 1)).toEqual([100, 1]);
    expect(rest).toContain("https://stop-number-1.example/");
    expect(page).toContain("101 links");
    expect(atom.split("<entry>").length - 1).toBe(100);
    expect((JSON.parse(json) as { items: unknown[] }).items).toHaveLength(100);
  });

  test("is kept by no cache and no search engine, and tells no site its address", async () => {
    const { save, share, request, browser } = await start();
    await save("Night train", "#travel");
    const { path } = await share();
    for (const send of [request, browser])
      for (const form of [...FORMS, "?cursor=x"]) {
        const { status, headers } = await send(path + form);
        expect([status, headers.get("referrer-policy"), headers.get("x-robots-tag")]).toEqual([
          200,
          "no-referrer",
          "noindex",
        ]);
        expect(headers.get("cache-control")).toContain("no-store");
      }
  });

  test("has feeds by the rules of the W3C's feed validator, whatever its bookmarks contain", async () => {
    const { share, program, request } = await start();
    for (const title of ["", "\u0001", "\uffff", "Tea & <b>]]></b> \u0002 🦊"]) {
      const url = "https://[::1]/a|b?c[]={d}^`\\&e=<f>#[g]";
      const json = { title, url, description: 'A & "<b>" ]]> \u0003\n\n#travel #R&D' };
      expect((await program("/bookmarks/", { method: "POST", json })).status).toBe(201);
    }
    const { path } = await share({ title: "For <Anna> & ]]>", notes: true });
    const [atom, json] = await Promise.all(
      ["/feed.atom", "/feed.json"].map(async (form) => (await request(path + form)).text()),
    );
    expect(faultsOfAtom(atom ?? "", `http://localhost${path}/feed.atom`)).toEqual([]);
    expect(faultsOfJsonFeed(json ?? "", `http://localhost${path}/feed.json`)).toEqual([]);
    expect(atom).toContain('href="https://[::1]/a%7Cb?c%5B%5D=%7Bd%7D%5E%60%5C&amp;e=%3Cf%3E#%5Bg%5D"');
  });

  test("confirms a feed that a reader has only as long as the list is shared", async () => {
    const { save, share, request, program } = await start();
    await save("Night train", "#travel");
    const { id, path } = await share();
    for (const form of ["/feed.atom", "/feed.json"]) {
      const tag = (await request(path + form)).headers.get("etag") ?? "";
      const again = () => request(path + form, { headers: { "if-none-match": tag } });
      const { status, headers } = await again();
      expect([status, headers.get("x-robots-tag")]).toEqual([304, "noindex"]);
      expect(headers.get("cache-control")).toContain("no-store");
      await save(`Ferry of ${form.slice(6)}`, "#travel");
      expect((await again()).status).toBe(200);
    }
    const tag = (await request(`${path}/feed.atom`)).headers.get("etag") ?? "";
    await program(`/api/shares/${id}/`, { method: "DELETE" });
    expect((await request(`${path}/feed.atom`, { headers: { "if-none-match": tag } })).status).toBe(404);
  });

  test("is the same 404 when it never was, was stopped, or has expired", async () => {
    const { save, share, request, program, clock } = await start();
    await save("Night train", "#travel");
    const stopped = await share();
    expect((await program(`/api/shares/${stopped.id}/`, { method: "DELETE" })).status).toBe(204);
    const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
    const expired = await share({ expires_at });
    clock.move(60_000);
    const never = { path: stopped.path.replace(/[^/]+$/, "0".repeat(22)) };
    for (const form of FORMS) {
      const answers = [];
      for (const { path } of [stopped, expired, never]) {
        const response = await request(path + form);
        const headers = Object.fromEntries(response.headers);
        for (const name of ["x-request-id", "date", "content-length"]) delete headers[name];
        const html = (await response.text()).replaceAll(path + form, "");
        answers.push({ status: response.status, headers, html });
      }
      expect(answers[0]).toMatchObject({ status: 404, headers: { "cache-control": "private, no-store" } });
      expect(answers[1]).toEqual(answers[0] as never);
      expect(answers[2]).toEqual(answers[0] as never);
    }
  });

  test("is listed, read and stopped by its account alone, without its address", async () => {
    const { save, share, program, request, database } = await start();
    await save("Night train", "#travel");
    const { id, path } = await share({ notes: true });
    const secret = path.split("/").at(-1) ?? "";
    const listed = await program("/api/shares/");
    expect(listed.headers.get("x-total-count")).toBe("1");
    const text = await listed.text();
    expect(JSON.parse(text)).toEqual([
      {
        ...{ id, q: "#travel", title: "For Anna", notes: true },
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        expires_at: null,
      },
    ]);
    const rows = JSON.stringify(await database.read`select * from keys`);
    expect([text, rows].filter((said) => said.includes(secret))).toEqual([]);
    const one = await program(`/api/shares/${id}/`);
    expect(await one.json()).toEqual(JSON.parse(text)[0]);

    const other = withToken(request, await makeToken(database, await makeAccount(database, "grace")));
    expect(await (await other("/api/shares/")).json()).toEqual([]);
    for (const method of ["GET", "DELETE"])
      expect((await other(`/api/shares/${id}/`, { method })).status).toBe(404);
    const wrong = await program(`/api/shares/${id}/`, { method: "DELETE", headers: { "if-match": '"x"' } });
    expect(wrong.status).toBe(412);
    expect((await request(path)).status).toBe(200);
    const etag = one.headers.get("etag") ?? "";
    const stop = await program(`/api/shares/${id}/`, { method: "DELETE", headers: { "if-match": etag } });
    expect([stop.status, (await request(path)).status]).toEqual([204, 404]);
    expect((await program(`/api/shares/${id}/`, { method: "DELETE" })).status).toBe(404);
  });

  describe("is refused", () => {
    test.each([
      ["without a search", { q: undefined }, "missing", "/q"],
      ["with a blank search", { q: "  " }, "too_short", "/q"],
      ["with an unclosed phrase", { q: '"two words' }, "unclosed_quote", "/q"],
      ["with U+0000 in its search", { q: "a\0b" }, "bad_character", "/q"],
      ["with a search of 1,001 characters", { q: "x".repeat(1_001) }, "too_long", "/q"],
      ["without a title", { title: "" }, "too_short", "/title"],
      ["with a title of 201 characters", { title: "x".repeat(201) }, "too_long", "/title"],
      ["with notes that are no truth value", { notes: "yes" }, "wrong_type", "/notes"],
      ["with an end in the past", { expires_at: "2020-01-01T00:00:00Z" }, "out_of_range", "/expires_at"],
      [
        "with an end without a time zone",
        { expires_at: "2999-01-01T00:00:00" },
        "datetime_invalid",
        "/expires_at",
      ],
      [
        "with a past end that is a day alone",
        { expires_at: "2020-01-01" },
        "datetime_invalid",
        "/expires_at",
      ],
    ])("%s", async (_, more, code, pointer) => {
      const { program } = await start();
      const json = { q: "#travel", title: "For Anna", ...more };
      const response = await program("/api/shares/", { method: "POST", json });
      expect(response.status).toBe(422);
      const { errors } = (await response.json()) as { errors: object[] };
      expect(errors).toMatchObject([{ code, pointer }]);
    });
  });

  describe("that a token shared", () => {
    const made = async () => {
      const site = await start();
      const { database, request, clock } = site;
      const ada = await makeAccount(database, "grace");
      const expiresAt = new Date(clock.now().getTime() + 60_000);
      const key = await makeToken(database, ada, { expiresAt });
      const id = Number(key.split("_")[1]);
      const own = withToken(request, key);
      const browser = withHeaders(request, { cookie: await makeSession(database, ada) });
      const owner = withToken(request, await makeToken(database, ada));
      const json = { q: "#travel", title: "By a program" };
      const list = (await (await own("/api/shares/", { method: "POST", json })).json()) as Created;
      const { pathname } = new URL(list.url);
      const statuses = () => Promise.all(FORMS.map(async (form) => (await request(pathname + form)).status));
      const keys = async () => (await browser("/keys")).text();
      expect(await statuses()).toEqual([200, 200, 200]);
      return { ...site, id, own, owner, browser, statuses, keys, list };
    };

    test("ends when the token is revoked, by a program or on the page; lists of others stay", async () => {
      for (const by of ["a program", "the page"] as const) {
        const { id, own, owner, browser, statuses, share, request, keys } = await made();
        const other = await share();
        expect(await keys()).toContain("shares a list, which ends with it");
        expect(await (await browser("/library/shares")).text()).toContain("by the token <bdi>test</bdi>");
        if (by === "a program")
          expect((await owner(`/api/tokens/${id}/`, { method: "DELETE" })).status).toBe(204);
        else expect((await submit(browser, "/keys/end", { key: String(id) })).status).toBe(303);
        expect(await statuses()).toEqual([404, 404, 404]);
        expect((await own("/bookmarks/")).status).toBe(401);
        expect((await request(other.path)).status).toBe(200);
        expect((await owner(`/api/tokens/${id}/`, { method: "DELETE" })).status).toBe(404);
        expect(await keys()).not.toContain("shares a list");
      }
    });

    test("stays when the token signs out or expires, and then ends by the page or by its id", async () => {
      for (const how of ["signs out", "expires", "expires and is deleted"])
        for (const by of ["a program", "the page"]) {
          const { id, own, owner, browser, statuses, keys, clock, program } = await made();
          if (how === "signs out") expect((await own("/api/token/", { method: "DELETE" })).status).toBe(204);
          else clock.move(60_000);
          if (how === "expires and is deleted") expect((await own("/bookmarks/")).status).toBe(401);
          expect(await statuses()).toEqual([200, 200, 200]);
          const page = await keys();
          expect(page).toContain("Signed out, expired or revoked");
          expect(page).toContain("still shares a list");
          expect(page).toContain("End its lists");
          expect((await program(`/api/tokens/${id}/`, { method: "DELETE" })).status).toBe(404);
          if (by === "a program")
            expect((await owner(`/api/tokens/${id}/`, { method: "DELETE" })).status).toBe(204);
          else expect((await submit(browser, "/keys/end", { key: String(id) })).status).toBe(303);
          expect(await statuses()).toEqual([404, 404, 404]);
          expect(await keys()).not.toContain("Signed out, expired or revoked");
        }
    });

    test("ends with its token at a new address, too", async () => {
      const { id, owner, browser, list, request } = await made();
      const renewed = await submit(browser, "/library/shares/address", { list: String(list.id) });
      const path = /\/shared\/[A-Za-z0-9]{22}/.exec(await renewed.text())?.[0] ?? "";
      expect((await request(path)).status).toBe(200);
      await owner(`/api/tokens/${id}/`, { method: "DELETE" });
      expect((await request(path)).status).toBe(404);
    });

    test("is not left behind by a token that is revoked while it shares", async () => {
      const { id, own, owner, request } = await made();
      const json = { q: "#travel", title: "In between" };
      const [shared] = await Promise.all([
        own("/api/shares/", { method: "POST", json }),
        owner(`/api/tokens/${id}/`, { method: "DELETE" }),
      ]);
      expect([201, 401]).toContain(shared.status);
      if (shared.status === 401) return;
      const { url } = (await shared.json()) as Created;
      expect((await request(new URL(url).pathname)).status).toBe(404);
    });
  });

  test("is made in two steps on the pages, and shown before", async () => {
    const { save, browser, request } = await start();
    await save("Night train", "Ask Grace. #travel");
    const found = await (await browser("/library?q=%23travel")).text();
    expect(found).toContain('href="/library/shares?q=%23travel"');
    const form = await (await browser("/library/shares?q=%23travel")).text();
    expect(form).toContain("Share this link");
    expect(form).toContain("Night train");
    expect(form).not.toContain("Ask Grace");
    expect(await (await browser("/library/shares?q=%23travel&notes=shown")).text()).toContain("Ask Grace");
    const fields = { q: "#travel", title: "For Anna", notes: "shown", ends: "week" };
    const made = await submit(browser, "/library/shares", fields);
    expect(made.headers.get("cache-control")).toContain("no-store");
    const path = /\/shared\/[A-Za-z0-9]{22}/.exec(await made.text())?.[0] ?? "";
    expect(await (await request(path)).text()).toContain("Ask Grace");
    const list = await (await browser("/library/shares")).text();
    expect(list).toContain("For Anna");
    expect(list).toMatch(/ · shared on [^<]* · with notes · expires /);
    expect(await (await browser("/library/shares?q=%23travel")).text()).toContain("Already shared on ");
    const id = /name="list" value="(\d+)"/.exec(list)?.[1] ?? "";
    const renewed = await submit(browser, "/library/shares/address", { list: id });
    expect(renewed.headers.get("cache-control")).toContain("no-store");
    const other = /\/shared\/[A-Za-z0-9]{22}/.exec(await renewed.text())?.[0] ?? "";
    expect([(await request(path)).status, (await request(other)).status]).toEqual([404, 200]);
    expect((await submit(browser, "/library/shares/stop", { list: id })).status).toBe(303);
    expect((await request(other)).status).toBe(404);
    expect((await submit(browser, "/library/shares/address", { list: id })).status).toBe(303);
  });

  test("keeps what was typed when the form is refused", async () => {
    const { browser } = await start();
    const refused = await submit(browser, "/library/shares", {
      q: "#travel",
      title: "",
      notes: "shown",
      ends: "week",
    });
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(fieldValue(html, "q")).toBe("#travel");
    expect(html).toMatch(/value="shown" checked/);
    expect(html).toMatch(/value="week" checked/);
  });

  test("of a half typed word has what the library showed for it", async () => {
    const { save, browser } = await start();
    await save("Smartphones compared", "");
    const found = await (await browser("/library?q=smartp")).text();
    expect(found).toContain('href="/library/shares?q=smartp*"');
    const form = await (await browser("/library/shares?q=smartp*")).text();
    expect(form).toContain("Smartphones compared");
    expect(form).toContain("“smartp”");
    expect(fieldValue(form, "title")).toBe("smartp");
    expect(await (await browser("/library.atom?q=smartp*")).text()).toContain("Links: smartp</");
  });

  test("does not exist where there are no pages", async () => {
    const { database, request } = await service.startApp({ WEB: "off" });
    const program = withToken(request, await makeToken(database, await makeAccount(database, "ada")));
    expect((await program("/api/shares/")).status).toBe(404);
  });
});
