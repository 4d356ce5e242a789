import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Limits, limits } from "../../src/limits.ts";
import { makeImage } from "../support/files/images.ts";
import { useLimits } from "../support/given/use-limits.ts";
import { makeAccount, makeSession, makeToken, withHeaders, withToken } from "../support/records/accounts.ts";
import { submit } from "../support/requests/forms.ts";
import type { Send } from "../support/requests/send.ts";
import { makeMember, PASSWORD } from "../support/requests/sign-in.ts";
import { describeApp } from "../support/server/contract.ts";

const KIB = 1024;

useLimits({ commentsPerPost: 20, mediaBytes: KIB });

const SETTINGS = {
  BOOKMARKS_ACCESS: "private",
  COMMENTS: "moderated",
  BODY_LIMIT: "200KiB",
};

/** The callers that requests are sent by. */
interface World {
  readonly anyone: Send;
  /** By a token with all scopes. */
  readonly program: Send;
  /** By a session, as a form of a page of the site. */
  readonly form: (path: string, fields: Record<string, string | string[]>) => Promise<Response>;
  /** By a session of another account. */
  readonly member: () => Promise<Send>;
  readonly post: number;
  readonly draft: number;
  readonly bookmark: number;
  readonly image: Uint8Array;
}

/** A limit: a value of this size is accepted, one of the next size is refused with this code. */
type Limit = readonly [
  size: number,
  refused: string | number,
  send: (size: number, world: World) => Promise<Response>,
  /** How much larger the next size is; −1 for a minimum. */
  step?: number,
];

let made = 0;
const x = (size: number) => "x".repeat(size);
const POST = "POST";
const PUT = "PUT";
const PATCH = "PATCH";
const sized = (path: string, member: string, more: object = {}, method = POST): Limit[2] => {
  return (size, { program }) => {
    made++;
    return program(path, { method, json: { ...more, [member]: x(size) } });
  };
};
const bookmark = (more: object, { program }: World) => {
  made++;
  return program("/bookmarks/", {
    method: POST,
    json: { title: "", url: `https://l${made}.example/`, ...more },
  });
};
const mark = async (more: object, world: World) => {
  const { id } = (await (await bookmark({}, world)).json()) as { id: number };
  return world.program(`/bookmarks/${id}/marks/`, { method: POST, json: { quote: "words", ...more } });
};
const publication = (more: object, { program, draft }: World) =>
  program(`/api/drafts/${draft}/publication/`, { method: PATCH, json: more });
const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
const address = (size: number) => `https://example.com/${x(size - "https://example.com/".length)}`;
const comment = (more: object, { anyone, post }: World) => {
  made++;
  const json = { author: "Grace", text: `Text ${made}`, ...more };
  return anyone(`/api/posts/${post}/comments/`, { method: POST, json });
};
const list =
  (path: string, parameter: string): Limit[2] =>
  (size, { program }) =>
    program(`${path}${path.includes("?") ? "&" : "?"}${parameter}=${size}`);
const search =
  (path: string, parameter: string, term = x): Limit[2] =>
  (size, { program }) =>
    program(`${path}?${parameter}=${encodeURIComponent(term(size))}`);
const edit = (json: object, { program }: World) =>
  program(`/api/edits/${crypto.randomUUID()}/`, { method: PUT, json });
const settings = (more: Record<string, string>, { form }: World) =>
  form("/settings", {
    ...{ site_name: "Site", description: "", time_zone: "UTC", language: "en", theme: "auto" },
    ...more,
  });
const ids = (size: number) => Array.from({ length: size }, (_, index) => index + 1);
const names = (size: number) => ids(size).map((id) => `tag${id}`);

/** Every limit that a client or a person can meet. */
const LIMITS: Readonly<Record<string, Limit>> = {
  "the title of a bookmark": [200, "too_long", (n, world) => bookmark({ title: x(n) }, world)],
  "the title of a bookmark, in emoji": [
    200,
    "too_long",
    (n, world) => bookmark({ title: "🎈".repeat(n) }, world),
  ],
  "the address of a bookmark": [500, "too_long", (n, world) => bookmark({ url: address(n) }, world)],
  "the words of a mark": [5_000, "too_long", (n, world) => mark({ quote: x(n) }, world)],
  "the words of a mark, at least": [1, "too_short", (n, world) => mark({ quote: x(n) }, world), -1],
  "the text before a mark": [32, "too_long", (n, world) => mark({ prefix: x(n) }, world)],
  "the text after a mark": [32, "too_long", (n, world) => mark({ suffix: x(n) }, world)],
  "the note of a mark": [10_000, "too_long", (n, world) => mark({ note: x(n) }, world)],
  "limit of marks": [200, "out_of_range", list("/api/marks/", "limit")],
  "limit of marks, at least": [1, "out_of_range", list("/api/marks/", "limit"), -1],
  "a query for marks": [1_000, "too_long", search("/api/marks/", "q")],
  "a request": [
    200 * KIB,
    413,
    (n, { program }) => {
      const start = '{"title":"","url":"https://long.example/","description":"';
      const body = `${start}${x(n - start.length - 2)}"}`;
      return program("/bookmarks/", { method: POST, body, headers: { "content-type": "application/json" } });
    },
  ],
  "the depth of a request": [1_000, 400, (n, world) => bookmark({ ignored: nested(n - 1) }, world)],
  "the title of a post": [500, "too_long", sized("/api/posts/", "title", { content: "" })],
  "the title of a post, at least": [1, "too_short", sized("/api/posts/", "title", { content: "" }), -1],
  "the title of a link post": [
    500,
    "too_long",
    async (n, world) => {
      const { id } = (await (await bookmark({}, world)).json()) as { id: number };
      return world.program(`/bookmarks/${id}/publish`, { method: POST, json: { title: x(n) } });
    },
  ],
  "the author of a comment": [100, "too_long", (n, world) => comment({ author: x(n) }, world)],
  "the author of a comment, at least": [1, "too_short", (n, world) => comment({ author: x(n) }, world), -1],
  "the text of a comment": [10_000, "too_long", (n, world) => comment({ text: x(n) }, world)],
  "the text of a comment, at least": [1, "too_short", (n, world) => comment({ text: x(n) }, world), -1],
  "the comments on a post": [
    20,
    409,
    async (n, world) => {
      const json = { title: "Commented", content: "", published: true };
      const response = await world.program("/api/posts/", { method: POST, json });
      const { id } = (await response.json()) as { id: number };
      let last = response;
      for (let i = 0; i < n; i++) last = await comment({ text: `Comment ${i}` }, { ...world, post: id });
      return last;
    },
  ],
  "a slug": [100, "slug_invalid", (n, world) => publication({ slug: x(n) }, world)],
  "a summary": [1_000, "too_long", (n, world) => publication({ summary: x(n) }, world)],
  "a tag of a post": [200, "tag_invalid", (n, world) => publication({ tags: [x(n)] }, world)],
  "the tags of a post": [50, "out_of_range", (n, world) => publication({ tags: names(n) }, world)],
  "the target of a link post": [
    2_000,
    "too_long",
    (n, world) => publication({ kind: "link", link: address(n) }, world),
  ],
  "the image of a post": [2_000, "too_long", (n, world) => publication({ image: address(n) }, world)],
  "the canonical address": [
    2_000,
    "too_long",
    (n, world) => publication({ canonical_url: address(n) }, world),
  ],

  "page_size of posts": [1_000, "out_of_range", list("/api/posts/", "page_size")],
  "page_size of comments": [
    1_000,
    "out_of_range",
    (n, world) => list(`/api/posts/${world.post}/comments/`, "page_size")(n, world),
  ],
  "page_size of moderated comments": [1_000, "out_of_range", list("/api/comments/", "page_size")],
  "limit of bookmarks": [1_000, "out_of_range", list("/bookmarks/", "limit")],
  "limit of bookmarks, at least": [1, "out_of_range", list("/bookmarks/", "limit"), -1],
  "limit of a search": [100, "out_of_range", list("/bookmarks/search?q=x", "limit")],
  "limit of changes": [100, "out_of_range", list("/api/undo/", "limit")],
  "limit of duplicates": [100, "out_of_range", list("/bookmarks/duplicates", "limit")],
  "limit of tags": [10_000, "out_of_range", list("/api/tags/", "limit")],
  "a query for bookmarks": [1_000, "too_long", search("/bookmarks/", "q")],
  "a query for posts": [1_000, "too_long", search("/api/posts/", "search")],
  "the terms of a query": [32, "too_complex", search("/bookmarks/", "q", (n) => names(n).join(" "))],
  "the depth of a query": [
    8,
    "too_complex",
    search("/bookmarks/", "q", (n) => `${"(".repeat(n)}x${")".repeat(n)}`),
  ],

  "the words of a query": [
    200,
    "too_complex",
    search(
      "/bookmarks/",
      "q",
      (n) =>
        `"${ids(n)
          .map((id) => id % 10)
          .join(" ")}"`,
    ),
  ],

  "an idempotency key": [
    255,
    400,
    (n, { program }) => {
      made++;
      const json = { title: "", url: `https://k${made}.example/` };
      return program("/bookmarks/", { method: POST, json, headers: { "idempotency-key": x(n) } });
    },
  ],

  "a tag of a bookmark": [
    200,
    "too_long",
    (n, { program, bookmark }) =>
      program(`/bookmarks/${bookmark}/tags`, { method: PUT, json: { tags: [x(n)] } }),
  ],
  "the tags of a bookmark": [
    1_000,
    "out_of_range",
    (n, { program, bookmark }) =>
      program(`/bookmarks/${bookmark}/tags`, { method: PUT, json: { tags: names(n) } }),
  ],
  "the new name of a tag": [
    200,
    "too_long",
    (n, { program }) => program("/api/tags/?name=old", { method: PATCH, json: { name: x(n) } }),
  ],
  "the tags of a bulk change": [
    1_000,
    "out_of_range",
    (n, { program }) =>
      program("/bookmarks/bulk?dry_run=true", {
        method: POST,
        json: { select: { ids: [1] }, add_tags: names(n) },
      }),
  ],
  "the bookmarks that are merged": [
    100,
    "out_of_range",
    async (n, { program, bookmark: keep }) => {
      const drop = ids(n + 1).map((id) => 1_000_000 + id);
      const response = await program("/bookmarks/merge", {
        method: POST,
        json: { keep, drop: drop.slice(0, n) },
      });
      // Of bookmarks that are not there.
      return response.status === 404 ? new Response() : response;
    },
  ],

  "the title of a working copy": [5_000, "too_long", (n, world) => edit({ title: x(n) }, world)],
  "a field of a working copy": [10_000, "too_long", (n, world) => edit({ fields: { summary: x(n) } }, world)],
  "the name of a field of a working copy": [
    64,
    "wrong_type",
    (n, world) => edit({ fields: { [x(n)]: "" } }, world),
  ],
  "the fields of a working copy": [
    40,
    "out_of_range",
    (n, world) => edit({ fields: Object.fromEntries(names(n).map((name) => [name, ""])) }, world),
  ],

  "the bytes of an image": [
    KIB,
    413,
    (n, { program, image }) => {
      const body = new Uint8Array(n);
      body.set(image);
      return program("/api/media/", { method: POST, body, headers: { "content-type": "image/png" } });
    },
  ],

  "a new password, at least": [10, "too_short", password, -1],
  "the bytes of a new password": [1_024, "too_long", password],
  "the name of a token": [100, "too_long", sized("/api/tokens/", "name")],
  "the name of a token, at least": [1, "too_short", sized("/api/tokens/", "name"), -1],
  "a displayed name": [100, 422, (n, { form }) => form("/account/name", { display_name: x(n) })],
  "the name of a website's key": [100, 422, (n, { form }) => form("/keys/websites", { website: x(n) })],
  "the name of the site": [80, 422, (n, world) => settings({ site_name: x(n) }, world)],
  "the name of the site, at least": [1, 422, (n, world) => settings({ site_name: x(n) }, world), -1],
  "the description of the site": [500, 422, (n, world) => settings({ description: x(n) }, world)],
  "the menu of the site": [
    5_000,
    422,
    (n, { form }) =>
      form("/settings/menu", {
        ...{ act: "add-address", new_text: "Site", new_url: address(n - "Site ".length) },
      }),
  ],
  "the author's pages elsewhere": [
    20,
    422,
    (n, world) =>
      settings(
        {
          profiles: names(n)
            .map((name) => `https://${name}.example/`)
            .join("\n"),
        },
        world,
      ),
  ],
  "the author's pages elsewhere, by a program": [
    20,
    "out_of_range",
    (n, { program }) =>
      program("/api/site/", {
        method: PATCH,
        json: { profiles: names(n).map((name) => `https://${name}.example/`) },
      }),
  ],
  "the verifications of the site, by a program": [
    20,
    "out_of_range",
    (n, { program }) =>
      program("/api/site/", {
        method: PATCH,
        json: { verifications: names(n).map((name) => ({ name: `verify-${name}`, content: "1A2B" })) },
      }),
  ],
  "the fields of a form": [
    10_000,
    400,
    (n, { form }) => form("/account/name", { display_name: "Ada", other: names(n - 1) }),
  ],
  "the names of the fields of a form": [
    1_000,
    400,
    (n, { form }) =>
      form("/account/name", {
        display_name: "Ada",
        ...Object.fromEntries(names(n - 1).map((name) => [name, ""])),
      }),
  ],
  "the style sheet": [64 * KIB, 422, (n, { form }) => form("/settings/theme", { css: `/*${x(n - 4)}*/` })],
  "the query of a feed of the library": [1_000, 422, (n, { form }) => form("/library/feeds", { q: x(n) })],
  "the search of a shared list": [1_000, "too_long", (n, { program }) => share(program, { q: x(n) })],
  "the title of a shared list": [200, "too_long", (n, { program }) => share(program, { title: x(n) })],
  "the title of a shared list, at least": [
    1,
    "too_short",
    (n, { program }) => share(program, { title: x(n) }),
    -1,
  ],
  "the title of a shared list in the form": [
    200,
    422,
    (n, { form }) => form("/library/shares", { q: "#a", title: x(n) }),
  ],
  "the ticked bookmarks": [
    1_000,
    422,
    (n, { form }) => form("/library/bulk", { id: ids(n).map(String), action: "add", tags: "x" }),
  ],

  "the name of a program of IndieAuth": [
    500,
    400,
    (n, { form }) => {
      const client = address(n);
      return form("/indieauth/authorize/decide", {
        ...{ client_id: client, redirect_uri: client, response_type: "code", state: "s" },
        ...{ code_challenge: x(43), code_challenge_method: "S256", scopes: ["create"], decision: "allow" },
      });
    },
  ],
};

function share(program: Send, fields: object): Promise<Response> {
  return program("/api/shares/", { method: "POST", json: { q: "#a", title: "A", ...fields } });
}

async function password(size: number, { member }: World): Promise<Response> {
  const json = { current_password: PASSWORD, new_password: x(size) };
  return (await member())("/api/account/password/", { method: PUT, json });
}

/** The code of a refusal with errors, else its status. */
async function refusalOf(response: Response): Promise<string | number> {
  if (!(response.headers.get("content-type") ?? "").includes("json")) return response.status;
  const { errors } = (await response.json()) as { errors?: { code: string }[] };
  return errors?.[0]?.code ?? response.status;
}

/** Each limit that tests may lower: the row above that reaches it, or the file of the test that does. */
const LOWERED: Readonly<Record<keyof Limits, string>> = {
  connectTimeout: "test/faults/postgres/postgres-gone.test.ts",
  statementTimeout: "test/postgres/transactions.test.ts",
  connectionIdle: "src/http/server.test.ts",
  mediaBytes: "the bytes of an image",
  commentsPerPost: "the comments on a post",
  waitingUploads: "test/contract/imports/queue.test.ts",
  copiesPerBookmark: "src/copies/keep-copy.test.ts",
  copyBytes: "src/copies/keep-copy.test.ts",
  marksPerBookmark: "src/marks/mark-changes.test.ts",
};

test("Each limit that tests may lower has a row, or a test of its own", () => {
  const root = join(import.meta.dir, "../..");
  const untested = Object.entries(LOWERED).filter(([limit, place]) =>
    place.endsWith(".test.ts")
      ? !readFileSync(join(root, place), "utf8").includes(limit)
      : !(place in LIMITS),
  );
  expect(untested).toEqual([]);
  expect(Object.keys(LOWERED).toSorted()).toEqual(Object.keys(limits()).toSorted());
});

describeApp("Limits", (service) => {
  let world: World;

  beforeAll(async () => {
    const { database, request } = await service.startApp(SETTINGS);
    const ada = await makeAccount(database, "ada");
    const program = withToken(request, await makeToken(database, ada));
    const browser = withHeaders(request, { cookie: await makeSession(database, ada) });
    const made = async (path: string, json: object) =>
      ((await (await program(path, { method: POST, json })).json()) as { id: number }).id;
    await made("/bookmarks/", { title: "", url: "https://example.com/2", description: "#old" });
    let members = 0;
    world = {
      anyone: request,
      program,
      form: (path, fields) => submit(browser, path, fields),
      member: async () => {
        members++;
        const member = await makeMember(database, `member${members}`);
        return withHeaders(request, { cookie: await makeSession(database, member) });
      },
      post: await made("/api/posts/", { title: "A post", content: "", published: true }),
      draft: await made("/api/posts/", { title: "A draft", content: "" }),
      bookmark: await made("/bookmarks/", { title: "", url: "https://example.com/" }),

      image: await makeImage("png", { width: 8, height: 8 }),
    };
  });

  describe.each(Object.entries(LIMITS))("%s", (_name, [size, refused, send, step = 1]) => {
    test(`is accepted at ${size}`, async () => {
      const response = await send(size, world);
      expect([response.status, response.status < 400 ? "" : await response.text()]).toEqual([
        response.status,
        "",
      ]);
    });

    test(`is refused at ${size + step}`, async () => {
      expect(await refusalOf(await send(size + step, world))).toBe(refused);
    });
  });
});
