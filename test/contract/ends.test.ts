import { beforeAll, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import type { Account } from "../../src/accounts/account.ts";
import { hashOfSession, newSessionKey } from "../../src/accounts/sign-in/session.ts";
import { insertSession } from "../../src/accounts/sign-in/session-store.ts";
import { createWelcomeLink } from "../../src/accounts/welcome/welcome-link.ts";
import { jobKinds } from "../../src/app/job-kinds.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { JobRunner } from "../../src/jobs/job-runner.ts";
import { leaseDueJob, requestJob } from "../../src/jobs/job-store.ts";
import { Log } from "../../src/log.ts";
import { importBookmarks } from "../../src/transfer/import/import-bookmarks.ts";
import { undoImport } from "../../src/transfer/import/undo-import.ts";
import { stageImport } from "../../src/transfer/stage-bookmarks.ts";
import { StoppedClock } from "../support/machine/stopped-clock.ts";
import { until } from "../support/machine/until.ts";
import { makeToken, withHeaders, withToken } from "../support/records/accounts.ts";
import { fieldValue, submit } from "../support/requests/forms.ts";
import type { Send } from "../support/requests/send.ts";
import { makeMember, PASSWORD, SESSION, signInForToken, WRONG } from "../support/requests/sign-in.ts";
import type { TestApp } from "../support/server/app.ts";
import { type AppService, describeApp } from "../support/server/contract.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const BOOKMARK_FILE =
  '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://one.example/">One</A></DL>';

const SETTINGS = {
  TOKEN_TTL: "3d",
  SESSION_IDLE: "2d",
  SESSION_MAX: "3d",
  COMMENTS: "open",
  FETCH_PAGES: "off",
};

/** What a row makes its thing with: an application with a clock that stands still, an account, and its programs. */
interface World {
  readonly service: AppService;
  readonly app: TestApp;
  readonly clock: StoppedClock;
  readonly ada: Account;
  /** By a token that does not end. */
  readonly program: Send;
  /** A browser with a session that begins now. */
  readonly browser: () => Promise<Send>;
}

/** Something that ends: used until then, refused from then on. */
interface End {
  /** From its making to its end, in milliseconds. */
  readonly after: number;
  /** Makes one. @returns a function that uses it and says what came of it */
  make(world: World): Promise<() => Promise<unknown>>;
  /** What came of a use a millisecond before the end, and of one at the end. */
  readonly used: unknown;
  readonly refused: unknown;
}

const status = async (response: Promise<Response>) => (await response).status;
const json = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T;
let made = 0;
const newLink = async ({ program }: World, description = "") => {
  made++;
  const link = { title: `Link ${made}`, url: `https://${made}.example/`, description };
  return (await json<{ id: number }>(program("/bookmarks/", { method: "POST", json: link }))).id;
};
const undoing = (program: Send, path: string) => () => status(program(path, { method: "POST" }));
const undoOf = async (world: World, change: Promise<Response>) =>
  undoing(world.program, (await json<{ undo: string }>(change)).undo);
const uploaded = async (world: World, path: string, name: string, text: string) => {
  const body = new FormData();
  body.set("file", new File([text], name));
  const send = await world.browser();
  const response = await send(path, { method: "POST", body, headers: { "sec-fetch-site": "same-origin" } });
  const place = response.headers.get("location") ?? "the file was refused";
  return async () => status((await world.browser())(place));
};
const draft = async ({ program }: World, more: object = {}) => {
  made++;
  const post = { title: `Post ${made}`, content: "Text", ...more };
  return json<{ id: number }>(program("/api/posts/", { method: "POST", json: post }));
};
const commented = async (world: World) => {
  const { id } = await draft(world, { published: true });
  const { slug } = await json<{ slug: string }>(world.program(`/api/posts/${id}/publication/`));
  const page = `/posts/${slug}/comments`;
  const shown = fieldValue(await (await world.app.request(page)).text(), "shown") ?? "";
  const fields = { author: "Grace", text: "A comment", site: "", shown };
  return async () => {
    await submit(world.app.request, page, fields);
    const [comment] = await world.app.database.read<{ status: string }>`
      select status from comments where post_id = ${id}`;
    return comment?.status;
  };
};
const importedFile = async ({ app, clock }: World) => {
  made++;
  const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://i${made}.example/">I</A></DL>`;
  using staged = await stageImport("b.html", Buffer.from(text), { now: clock.now(), tags: true });
  const { import_id } = await importBookmarks(app.database, staged, "skip");
  return Number(import_id);
};
const purge = ({ app: { database } }: World) => {
  const job = { id: 0, kind: "purge", key: "", payload: {}, attempts: 1, lease: "", requests: 1 };
  const kinds = jobKinds(readConfig(SETTINGS), database);
  return kinds.purge?.run(job, new AbortController().signal);
};
const importsListed = (world: World, id: number) => async () => {
  await purge(world);
  const rows = await world.app.database.read`select 1 from imports where id = ${id}`;
  return rows.length > 0;
};
const newSession = async ({ app, ada, clock }: Pick<World, "app" | "ada" | "clock">) => {
  const key = newSessionKey();
  const session = { hash: hashOfSession(key), account: ada, userAgent: null };
  await app.database.write((sql) => insertSession(sql, session, clock.now()));
  return { send: withHeaders(app.request, { cookie: `commonplace_session=${key}` }), hash: session.hash };
};
const attempt = ({ app }: World, username: string, password: string) =>
  status(app.request(SESSION, { method: "POST", json: { username, password } }));

/** Everything that ends by itself. */
const ENDS: Readonly<Record<string, End>> = {
  "a session without a request": {
    after: 2 * DAY,
    make: async (world) => {
      const { send } = await newSession(world);
      return () => status(send(SESSION));
    },
    used: 200,
    refused: 401,
  },
  "a session in use": {
    after: 3 * DAY,
    make: async (world) => {
      const { send, hash } = await newSession(world);
      world.clock.move(2 * DAY - 1);
      const seen = world.clock.now().getTime();
      await send(SESSION);
      await until("the use is recorded", async () => {
        const rows = await world.app.database.read<{ last_seen_at: number | string }>`
          select last_seen_at from sessions where key_sha256 = ${hash}`;
        return rows.some(({ last_seen_at }) => new Date(last_seen_at).getTime() === seen);
      });
      world.clock.move(1 - 2 * DAY);
      return () => status(send(SESSION));
    },
    used: 200,
    refused: 401,
  },
  "a token of a sign-in": {
    after: 3 * DAY,
    make: async ({ app, ada }) => {
      const key = await signInForToken(app.request, { username: ada.username });
      return () => status(withToken(app.request, key)("/api/drafts/"));
    },
    used: 200,
    refused: 401,
  },
  "a token with an expiry": {
    after: DAY,
    make: async ({ app, clock, program }) => {
      const expires_at = new Date(clock.now().getTime() + DAY).toISOString();
      const given = program("/api/tokens/", { method: "POST", json: { name: "one day", expires_at } });
      const { token } = await json<{ token: string }>(given);
      return () => status(withToken(app.request, token)("/api/drafts/"));
    },
    used: 200,
    refused: 401,
  },
  "a link to a preview": {
    after: 7 * DAY,
    make: async ({ app, browser }) => {
      const writer = await browser();
      const edit = `/api/edits/${crypto.randomUUID()}/`;
      await writer(edit, { method: "PUT", json: { title: "A draft", content: "Text" } });
      const { url } = await json<{ url: string }>(writer(`${edit}previews/`, { method: "POST" }));
      return () => status(app.request(url));
    },
    used: 200,
    refused: 404,
  },
  "a list shared for a week": {
    after: 7 * DAY,
    make: async ({ app, browser }) => {
      const form = { q: "#travel", title: "Travel", ends: "week" };
      const made = await submit(await browser(), "/library/shares", form);
      const path = /\/shared\/[A-Za-z0-9]{22}/.exec(await made.text())?.[0] ?? "";
      return () => status(app.request(path));
    },
    used: 200,
    refused: 404,
  },
  "a shared list with an expiry": {
    after: DAY,
    make: async ({ app, clock, program }) => {
      const expires_at = new Date(clock.now().getTime() + DAY).toISOString();
      const shared = { q: "#travel", title: "Travel", expires_at };
      const { url } = await json<{ url: string }>(program("/api/shares/", { method: "POST", json: shared }));
      return () => status(app.request(`${new URL(url).pathname}/feed.atom`));
    },
    used: 200,
    refused: 404,
  },
  "a code of IndieAuth": {
    after: 5 * MINUTE,
    make: async ({ app, browser }) => {
      const verifier = randomBytes(32).toString("base64url");
      const client = { client_id: "https://app.example/", redirect_uri: "https://app.example/back" };
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const consent = await submit(await browser(), "/indieauth/authorize/decide", {
        ...{ ...client, response_type: "code", state: "1", scope: "create", scopes: ["create"] },
        ...{ code_challenge: challenge, code_challenge_method: "S256", decision: "allow" },
      });
      const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code") ?? "";
      const redemption = { grant_type: "authorization_code", code, code_verifier: verifier, ...client };
      return () => status(submit(app.request, "/indieauth/token", redemption));
    },
    used: 200,
    refused: 400,
  },
  "the welcome link": {
    after: HOUR,
    make: async ({ service, clock }) => {
      const { database, request } = await service.startApp({}, clock);
      const link = await createWelcomeLink(database, clock.now());
      const fields = {
        ...{ username: "ada", password: PASSWORD, password_again: PASSWORD },
        ...{ site_name: "Commonplace", time_zone: "UTC", bookmarks_access: "private" },
      };
      const path = `/welcome/${link?.secret}`;
      return async () => [await status(request(path)), await status(submit(request, path, fields))];
    },
    used: [200, 303],
    refused: [404, 404],
  },
  "an uploaded file of bookmarks": {
    after: DAY,
    make: (world) => uploaded(world, "/library/import", "b.html", BOOKMARK_FILE),
    used: 200,
    refused: 404,
  },
  "an uploaded file of a blog": {
    after: DAY,
    make: (world) => uploaded(world, "/write/import", "post.md", "# A post\n\nText"),
    used: 200,
    refused: 404,
  },
  "the undo of renaming a tag": {
    after: 30 * DAY,
    make: async (world) => {
      await newLink(world, "#old");
      return undoOf(world, world.program("/api/tags/?name=old", { method: "PATCH", json: { name: "new" } }));
    },
    used: 200,
    refused: 404,
  },
  "the undo of deleting a tag": {
    after: 30 * DAY,
    make: async (world) => {
      await newLink(world, "#gone");
      return undoOf(world, world.program("/api/tags/?name=gone", { method: "DELETE" }));
    },
    used: 200,
    refused: 404,
  },
  "the undo of a bulk change": {
    after: 30 * DAY,
    make: async (world) => {
      const change = { select: { ids: [await newLink(world)] }, add_tags: ["more"] };
      return undoOf(world, world.program("/bookmarks/bulk", { method: "POST", json: change }));
    },
    used: 200,
    refused: 404,
  },
  "the undo of merging bookmarks": {
    after: 30 * DAY,
    make: async (world) => {
      const merge = { keep: await newLink(world), drop: [await newLink(world)] };
      return undoOf(world, world.program("/bookmarks/merge", { method: "POST", json: merge }));
    },
    used: 200,
    refused: 404,
  },
  "the preview of an undo": {
    after: 30 * DAY,
    make: async (world) => {
      const change = { select: { ids: [await newLink(world)] }, delete: true };
      const response = world.program("/bookmarks/bulk", { method: "POST", json: change });
      return undoing(world.program, `${(await json<{ undo: string }>(response)).undo}?dry_run=true`);
    },
    used: 200,
    refused: 404,
  },
  "the listing of an undo": {
    after: 30 * DAY,
    make: async (world) => {
      const change = { select: { ids: [await newLink(world)] }, delete: true };
      const response = world.program("/bookmarks/bulk", { method: "POST", json: change });
      const { undo } = await json<{ undo: string }>(response);
      return async () => {
        const listed = await json<{ undo: string }[]>(world.program("/api/undo/?limit=100"));
        return listed.some((one) => one.undo === undo);
      };
    },
    used: true,
    refused: false,
  },
  "the undo of a removal in the library": {
    after: 30 * DAY,
    make: async (world) => {
      const id = await newLink(world);
      await submit(await world.browser(), `/library/${id}/remove`, {});
      const [change] = await json<{ undo: string }[]>(world.program("/api/undo/?limit=1"));
      const key = change?.undo.split("/").at(-2);
      return async () => status(submit(await world.browser(), `/library/undo/${key}`, {}));
    },
    used: 303,
    refused: 404,
  },
  "a removed link": {
    after: 30 * DAY,
    make: async (world) => {
      const id = await newLink(world);
      await submit(await world.browser(), `/library/${id}/remove`, {});
      return async () => {
        const send = await world.browser();
        const page = await (await send("/library/removed")).text();
        await submit(send, "/library/removed", { bookmark: String(id) });
        return [page.includes(`Link ${made}<`), await status(world.program(`/bookmarks/${id}`))];
      };
    },
    used: [true, 200],
    refused: [false, 404],
  },
  "a removed draft, and a comment": {
    after: 30 * DAY,
    make: async (world) => {
      const send = await world.browser();
      const create = async (path: string, json: object) =>
        ((await (await world.program(path, { method: "POST", json })).json()) as { id: number }).id;
      const draft = await create("/api/drafts/", { title: `Draft ${++made}`, content: "", published: false });
      const post = await create("/api/posts/", { title: "Talk", content: "", published: true });
      const comment = await create(`/api/posts/${post}/comments/`, { text: "Said." });
      const deletion = { title: "Draft", content: "", post: String(draft), base_version: "1", version: "0" };
      await submit(send, `/write/${crypto.randomUUID()}`, { ...deletion, action: "delete-now" });
      await submit(send, "/moderation", { remove: String(comment), status: "shown" });
      return async () => {
        const again = await world.browser();
        const page = await (await again("/library/removed")).text();
        await submit(again, "/library/removed", { post: String(draft), comment: String(comment) });
        return [
          page.includes(`value="${draft}"`) && page.includes(`name="comment" value="${comment}"`),
          await status(world.program(`/api/drafts/${draft}/`)),
          await status(world.program(`/api/comments/${comment}/`)),
        ];
      };
    },
    used: [true, 200, 200],
    refused: [false, 404, 404],
  },
  "the record of an undone import": {
    after: 30 * DAY,
    make: async (world) => {
      const id = await importedFile(world);
      await undoImport(world.app.database, id, world.clock.now());
      return importsListed(world, id);
    },
    used: true,
    refused: false,
  },
  "an idempotency key": {
    after: DAY,
    make: async ({ program }) => {
      made++;
      const init = {
        method: "POST",
        headers: { "idempotency-key": `key-${made}` },
        json: { title: "Once", url: `https://once${made}.example/` },
      };
      const send = async () => (await program("/bookmarks/", init)).headers.get("idempotency-replayed");
      await send();
      return send;
    },
    used: "true",
    refused: null,
  },
  "the wait after too many failed sign-ins": {
    after: SECOND,
    make: async (world) => {
      made++;
      const { username } = await makeMember(world.app.database, `member${made}`);
      for (let failure = 0; failure < 6; failure++) await attempt(world, username, WRONG);
      return () => attempt(world, username, PASSWORD);
    },
    used: 429,
    refused: 200,
  },
  "the memory of failed sign-ins": {
    after: HOUR,
    make: async (world) => {
      made++;
      for (let failure = 0; failure < 6; failure++) await attempt(world, `nobody${made}`, WRONG);
      const name = `nobody${made}`;
      return async () => [await attempt(world, name, WRONG), await attempt(world, name, WRONG)];
    },
    used: [401, 429],
    refused: [401, 401],
  },
  "the wait of a scheduled post": {
    after: HOUR,
    make: async (world) => {
      const { id } = await draft(world);
      const publish_at = new Date(world.clock.now().getTime() + HOUR).toISOString();
      const path = `/api/drafts/${id}/publication/`;
      await world.program(path, { method: "PATCH", json: { publish_at } });
      return async () => {
        const { results } = await json<{ results: { id: number }[] }>(world.app.request("/api/posts/"));
        // The next one is then alone in waiting.
        await world.program(`/api/drafts/${id}/`, { method: "DELETE" });
        return results.some((post) => post.id === id);
      };
    },
    used: false,
    refused: true,
  },
  "the suspicion of a comment that was written too fast": {
    after: 3 * SECOND,
    make: commented,
    used: "waiting",
    refused: "shown",
  },
  "the form of a comment": { after: DAY, make: commented, used: "shown", refused: "waiting" },
  "the lease of a job": {
    after: 15 * SECOND,
    make: async ({ app: { database }, clock }) => {
      made++;
      const kind = `test-${made}`;
      const runs = Promise.withResolvers<void>();
      // A process that hangs: it neither ends its job nor extends its lease.
      const hanging = async () => {
        runs.resolve();
        await new Promise<never>(() => {});
      };
      const log = new Log({ level: "silent", format: "json" });
      const runner = new JobRunner({
        database,
        kinds: { [kind]: { run: hanging } },
        log,
        times: { startAfter: 0 },
      });
      await database.write((sql) => requestJob(sql, { kind, key: "", runAt: clock.now() }));
      runner.start();
      await runs.promise;
      return async () => (await leaseDueJob(database, [kind], clock.now(), clock.now()))?.kind === kind;
    },
    used: false,
    refused: true,
  },
};

describeApp("Everything that ends", (service) => {
  let world: World;

  beforeAll(async () => {
    const clock = new StoppedClock();
    const app = await service.startApp(SETTINGS, clock);
    const ada = await makeMember(app.database, "ada");
    const program = withToken(app.request, await makeToken(app.database, ada));
    const browser = async () => (await newSession({ app, ada, clock })).send;
    world = { service, app, clock, ada, program, browser };
  });

  describe.each(Object.entries(ENDS))("%s", (_name, { after, make, used, refused }) => {
    test("is there a millisecond before its end, also after a purge", async () => {
      const use = await make(world);
      world.clock.move(after - 1);
      await purge(world);
      expect(await use()).toEqual(used);
    });

    test("has ended at its end", async () => {
      const use = await make(world);
      world.clock.move(after);
      expect(await use()).toEqual(refused);
    });
  });
});
