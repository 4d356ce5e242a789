import { beforeAll, expect, test } from "bun:test";
import type { Scope } from "../../../src/accounts/scope.ts";
import { makeImage } from "../../support/files/images.ts";
import { StoppedClock } from "../../support/machine/stopped-clock.ts";
import {
  makeAccount,
  makeSession,
  makeToken,
  withHeaders,
  withToken,
} from "../../support/records/accounts.ts";
import type { Send } from "../../support/requests/send.ts";
import type { TestApp } from "../../support/server/app.ts";
import { describeApp } from "../../support/server/contract.ts";

type Properties = Record<string, unknown[]>;

/** The server tests of micropub.rocks by their numbers, and what they leave out. */
describeApp("Micropub", (service) => {
  let app: TestApp;
  let token: string;
  let send: Send;
  let account: Awaited<ReturnType<typeof makeAccount>>;

  beforeAll(async () => {
    app = await service.startApp();
    account = await makeAccount(app.database, "ada");
    token = await makeToken(app.database, account);
    send = withToken(app.request, token);
  });

  const withScopes = async (...scopes: Scope[]) =>
    withToken(app.request, await makeToken(app.database, account, { scopes }));
  const form = (body: string, from = send) =>
    from("/micropub", {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded; charset=utf-8",
        "content-length": String(Buffer.byteLength(body)),
      },
      body,
    });
  const json = (body: unknown, from = send) => from("/micropub", { method: "POST", json: body });
  const entry = (properties: Properties, from = send) => json({ type: ["h-entry"], properties }, from);
  const multipart = (fields: readonly [string, string | File][], path = "/micropub", from = send) => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return from(path, { method: "POST", body });
  };
  const png = async (width: number) =>
    new File([(await makeImage("png", { width, height: 2 })) as Uint8Array<ArrayBuffer>], "photo.png");
  /** The path at which a request has made a post. */
  const made = async (sent: Response | Promise<Response>) => {
    const response = await sent;
    const location = response.headers.get("location") ?? "";
    expect([response.status, location, response.status === 201 ? "" : await response.text()]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/localhost\//),
      "",
    ]);
    return location;
  };
  const page = async (location: string) => {
    const response = await app.request(location.replace("http://localhost", ""));
    return { status: response.status, html: await response.text() };
  };
  const source = async (location: string, from = send) => {
    const response = await from(`/micropub?${new URLSearchParams({ q: "source", url: location })}`);
    expect(response.status).toBe(200);
    return ((await response.json()) as { properties: Properties }).properties;
  };
  const error = async (sent: Response | Promise<Response>) => {
    const response = await sent;
    const { error: code, error_description: description } = (await response.json()) as Record<string, string>;
    expect(description).toBeString();
    return [response.status, code];
  };
  const countPosts = async () => {
    const [row] = await app.database.read<{ n: number }>`select count(*) as n from posts`;
    return Number(row?.n);
  };

  test("100, 101, 107: creates entries from forms, with one category or several", async () => {
    const first = await made(form("h=entry&content=Micropub+test+of+creating+a+basic+h-entry"));
    expect((await page(first)).html).toContain("Micropub test of creating a basic h-entry");
    expect(first).toBe("http://localhost/posts/micropub-test-of-creating-a-basic-h-entry");
    const two = await made(form("h=entry&content=Two+tags&category[]=test1&category%5B%5D=test+2"));
    expect(await source(two)).toMatchObject({ category: ["test1", "test-2"] });
    const one = await made(form("h=entry&content=One+tag&category=test1"));
    expect(await source(one)).toMatchObject({ category: ["test1"], content: ["One tag"] });
    expect(await source(one)).not.toHaveProperty("name");
  });

  test("104, 203, 205, 206: photos referenced by their URLs, with their alternative texts", async () => {
    const photo = "https://photos.example/sunset.jpg";
    const byForm = await made(form(`h=entry&content=Nice+sunset&photo=${encodeURIComponent(photo)}`));
    expect((await page(byForm)).html).toContain(`src="${photo}"`);
    const byJson = await made(entry({ content: ["A photo"], photo: [photo] }));
    expect(await source(byJson)).toMatchObject({ content: ["A photo"], photo: [photo] });
    const object = { value: photo, alt: 'A [photo] of a "sunset"' };
    const withAlt = await made(entry({ content: ["Alt"], photo: [object] }));
    expect((await page(withAlt)).html).toContain('alt="A [photo] of a &quot;sunset&quot;"');
    expect(await source(withAlt)).toMatchObject({ photo: [object] });
    const two = await made(entry({ photo: [photo, "https://photos.example/b.jpg"] }));
    expect((await page(two)).html).toContain('src="https://photos.example/b.jpg"');
  });

  test("200, 201, 204: creates entries from JSON, and stores properties without an equivalent", async () => {
    await made(entry({ content: ["Micropub test of creating an h-entry with JSON"] }));
    const two = await made(entry({ content: ["JSON tags"], category: ["test1", "test2"] }));
    expect(await source(two)).toMatchObject({ category: ["test1", "test2"] });
    const checkin = {
      type: ["h-card"],
      properties: { name: ["Los Gorditos"], latitude: [45.5], longitude: [-122.6] },
    };
    const nested = await made(
      entry({ content: ["Lunch"], checkin: [checkin], published: ["2016-05-31T12:03:36-07:00"] }),
    );
    expect(await source(nested)).toMatchObject({
      checkin: [checkin],
      published: ["2016-05-31T19:03:36.000Z"],
    });
  });

  test("202: HTML stays HTML", async () => {
    const html = "<p>This has <b>bold</b> text.</p>\n\n<p>*Not* Markdown.</p><pre>a\n\n    b</pre>";
    const location = await made(entry({ content: [{ html }], name: ["Bold"] }));
    const shown = (await page(location)).html;
    expect(shown).toContain("<b>bold</b>");
    expect(shown).toContain("<p>*Not* Markdown.</p>");
    expect(shown).toMatch(/<pre[^>]*>a\n\n {4}b<\/pre>/);
    const { content } = await source(location);
    expect(content).toEqual([{ html: expect.stringContaining("<b>bold</b>") }]);
    await json({ action: "update", url: location, replace: { content } });
    expect((await source(location)).content).toEqual(content ?? []);
    const inline = await made(entry({ content: [{ html: "Hello <i>you</i> *there*" }] }));
    expect((await page(inline)).html).toContain("Hello <i>you</i> *there*");
  });

  test("300, 301: photos as files", async () => {
    const one = await made(
      multipart([
        ["h", "entry"],
        ["content", "Nice sunset"],
        ["photo", await png(2)],
        ["mp-photo-alt[]", "Red"],
      ]),
    );
    expect((await page(one)).html).toMatch(/<img src="\/media\/[0-9a-f]{40}\.png" alt="Red"/);
    const two = await made(
      multipart([
        ["h", "entry"],
        ["content", "Two"],
        ["photo[]", await png(3)],
        ["photo[]", await png(4)],
      ]),
    );
    expect((await source(two)).photo).toHaveLength(2);
  });

  test("400 to 404: replaces, adds and deletes values and properties", async () => {
    const location = await made(entry({ content: ["Before"], category: ["test1"], name: ["Update"] }));
    const update = async (change: Record<string, unknown>) => {
      expect((await json({ action: "update", url: location, ...change })).status).toBe(204);
      return source(location);
    };
    expect(await update({ replace: { content: ["After"] } })).toMatchObject({
      content: ["After"],
      category: ["test1"],
    });
    expect(await update({ add: { category: ["test2", "test1"] } })).toMatchObject({
      category: ["test1", "test2"],
    });
    expect(await update({ add: { summary: ["Short"] } })).toMatchObject({ summary: ["Short"] });
    expect(await update({ delete: { category: ["test1"] } })).toMatchObject({ category: ["test2"] });
    expect(await update({ delete: ["category", "summary"] })).not.toHaveProperty("category");
    expect((await page(location)).html).toContain("After");
    // Its former text can be brought back.
    const id = Number(
      (await app.database.read<{ id: number }>`select id from posts where title = 'Update'`)[0]?.id,
    );
    const versions = await (await send(`/api/posts/${id}/versions/`)).json();
    expect(JSON.stringify(versions)).toContain("Before");
  });

  test("takes 200 values of a property, and 1,000 levels of nesting", async () => {
    const location = await made(entry({ content: ["Many"] }));
    const status = async (values: unknown[]) =>
      (await json({ action: "update", url: location, add: { checkin: values } })).status;
    const nested = (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    const values = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));
    expect([await status(values(200)), await status(values(201))]).toEqual([204, 400]);
    // Three levels are around the value.
    expect([await status([nested(997)]), await status([nested(998)])]).toEqual([204, 400]);
    // Equal values are one, whatever the order of their members.
    const place = { name: ["Lake"], geo: { lat: 1, lon: [2] } };
    await json({ action: "update", url: location, replace: { checkin: [place] } });
    await status([{ geo: { lon: [2], lat: 1 }, name: ["Lake"] }, { name: ["Lake"] }]);
    expect((await source(location)).checkin).toEqual([place, { name: ["Lake"] }]);
    await json({
      action: "update",
      url: location,
      delete: { checkin: [{ geo: place.geo, name: ["Lake"] }] },
    });
    expect((await source(location)).checkin).toEqual([{ name: ["Lake"] }]);
  });

  test("405: refuses an operation that is not an array, and unknown property names", async () => {
    const location = await made(entry({ content: ["Unchanged"] }));
    for (const change of [
      { replace: "This is not an array." },
      { replace: { content: "No array." } },
      { add: [] },
      { delete: "category" },
      { delete: [7] },
      { replace: { "a b": ["x"] } },
      { replace: { content: ["\u0000"] } },
      { replace: { checkin: [{ name: ["half \ud83d"] }] } },
      { replace: { content: [{ words: "?" }] } },
      { replace: { content: [null] } },
      { replace: { content: [["?"]] } },
    ])
      expect([change, await error(json({ action: "update", url: location, ...change }))]).toEqual([
        change,
        [400, "invalid_request"],
      ]);
    expect(await source(location)).toMatchObject({ content: ["Unchanged"] });
  });

  test("takes texts in objects, and values of a form by their numbers", async () => {
    const one = await made(entry({ name: [{ value: "Named" }], content: [{ text: "In an object" }] }));
    expect(await source(one)).toMatchObject({ name: ["Named"], content: ["In an object"] });
    const two = await made(form("h=entry&content=Numbered&category[0]=a&category[1]=b&category[10]=c"));
    expect(await source(two)).toMatchObject({ category: ["a", "b", "c"] });
  });

  test("a draft is dated when it is published, or as it was told", async () => {
    const clock = new StoppedClock();
    const later = await service.startApp({}, clock);
    const program = withToken(
      later.request,
      await makeToken(later.database, await makeAccount(later.database, "ada")),
    );
    const draft = async (properties: Properties = {}) => {
      const made = await entry({ content: ["Draft"], "post-status": ["draft"], ...properties }, program);
      return made.headers.get("location") ?? "";
    };
    const published = async (url: string, more: Properties = {}) => {
      const replace = { "post-status": ["published"], ...more };
      const changed = await json({ action: "update", url, replace }, program);
      const moved = changed.headers.get("location") ?? url;
      const found = await program(`/micropub?q=source&url=${encodeURIComponent(moved)}`);
      return ((await found.json()) as { properties: Properties }).properties.published;
    };
    const drafts = [
      await draft(),
      await draft({ published: ["2020-05-06T07:08:09Z"] }),
      await draft({ published: ["2020-05-06T07:08:09Z"] }),
      await draft(),
    ];
    const unknown = await program(`/micropub?q=source&url=${encodeURIComponent(drafts[0] ?? "")}`);
    expect(JSON.stringify(await unknown.json())).not.toContain('"published"');
    clock.move(24 * 60 * 60 * 1000);
    const now = clock.now().toISOString();
    const given = "2021-01-01T00:00:00.000Z";
    expect([
      await published(drafts[0] ?? ""),
      await published(drafts[1] ?? ""),
      await published(drafts[2] ?? "", { published: [given] }),
      await published(drafts[3] ?? "", { published: [given] }),
    ]).toEqual([[now], ["2020-05-06T07:08:09.000Z"], [given], [given]]);
    // Drafts and published again, it keeps its date.
    const [post] = await later.database.read<{ id: number }>`select id from posts order by id limit 1`;
    await json({ action: "delete", url: `http://localhost/api/posts/${post?.id}/` }, program);
    clock.move(1_000);
    expect(await published(`http://localhost/api/drafts/${post?.id}/`)).toEqual([now]);
  });

  test("500 to 503: deletes and undeletes, by form and by JSON", async () => {
    for (const act of [
      (action: string, url: string) => form(new URLSearchParams({ action, url }).toString()),
      (action: string, url: string) => json({ action, url }),
    ]) {
      const location = await made(entry({ content: ["To be deleted"], category: ["gone"] }));
      // Deleting once more changes nothing: a retry must not delete for good.
      for (let times = 0; times < 2; times++) expect((await act("delete", location)).status).toBe(204);
      expect((await page(location)).status).toBe(404);
      const restored = await act("undelete", location);
      expect([restored.status, restored.headers.get("location")]).toEqual([204, null]);
      expect((await page(location)).html).toContain("To be deleted");
      expect(await source(location)).toMatchObject({ category: ["gone"] });
    }
  });

  test("600 to 603: reports what it supports, and returns the source", async () => {
    const config = (await (await send("/micropub?q=config")).json()) as Record<string, unknown>;
    expect(config).toMatchObject({
      "media-endpoint": "http://localhost/micropub/media",
      "syndicate-to": [],
      q: ["config", "source", "syndicate-to", "category", "post-types"],
    });
    expect(await (await send("/micropub?q=syndicate-to")).json()).toEqual({ "syndicate-to": [] });
    const location = await made(
      entry({
        content: ["Test of querying the endpoint for the source content"],
        category: ["micropub", "test"],
      }),
    );
    expect(await source(location)).toMatchObject({
      content: ["Test of querying the endpoint for the source content"],
      category: ["micropub", "test"],
    });
    const some = await send(
      `/micropub?q=source&properties[]=content&properties[]=category&url=${encodeURIComponent(location)}`,
    );
    expect(await some.json()).toEqual({
      properties: {
        content: ["Test of querying the endpoint for the source content"],
        category: ["micropub", "test"],
      },
    });
    const { categories } = (await (await send("/micropub?q=category&filter=MICRO")).json()) as Record<
      string,
      unknown
    >;
    expect(categories).toEqual(["micropub"]);
    const { items } = (await (await send("/micropub?q=source&limit=1")).json()) as { items: unknown[] };
    expect(items).toMatchObject([{ type: ["h-entry"], properties: { url: [location] } }]);
    expect(await (await send("/micropub")).json()).toEqual(config);
    expect(await error(send("/micropub?q=unknown"))).toEqual([400, "invalid_request"]);
    expect(await error(send("/micropub?q=source&url=https://elsewhere.example/posts/a"))).toEqual([
      400,
      "invalid_request",
    ]);
  });

  test("700 to 702: takes images at the media endpoint, re-encoded, and nothing else", async () => {
    const location = await made(multipart([["file", await png(5)]], "/micropub/media"));
    expect(location).toMatch(/^http:\/\/localhost\/media\/[0-9a-f]{40}\.png$/);
    expect((await page(location)).status).toBe(200);
    const posted = await made(entry({ content: ["Mine"], photo: [location] }));
    expect((await page(posted)).html).toContain(`src="${location.replace("http://localhost", "")}"`);
    const gif = new File(["GIF89a\u0001\u0000\u0001\u0000"], "a.gif", { type: "image/gif" });
    expect(await error(multipart([["file", gif]], "/micropub/media"))).toEqual([415, "invalid_request"]);
    expect(await error(multipart([["photo", gif]], "/micropub/media"))).toEqual([400, "invalid_request"]);
  });

  test("800 to 803, 805: a token is accepted in the header or in the form, and is not stored", async () => {
    const location = await made(form(`h=entry&content=In+the+body&access_token=${token}`, app.request));
    expect(JSON.stringify(await source(location))).not.toContain("access_token");
    // Quill sends it in both.
    await made(form(`h=entry&content=Twice&access_token=${token}`));
    const before = await countPosts();
    const rows = await app.database.read`select properties from post_properties`;
    expect(JSON.stringify(rows)).not.toContain("cmpl_");
    expect(await error(form("h=entry&content=Nobody", app.request))).toEqual([401, "unauthorized"]);
    expect(await error(entry({ content: ["Nobody"] }, app.request))).toEqual([401, "unauthorized"]);
    expect(await error(form("h=entry&content=x&access_token=cmpl_1_wrong", app.request))).toEqual([
      401,
      "unauthorized",
    ]);
    for (const other of ["cmpl_1_wrong", `${token}&access_token=${token}`, ""])
      expect(await error(form(`h=entry&content=Twice&access_token=${other}`))).toEqual([
        400,
        "invalid_request",
      ]);
    // A long form without a header is refused before it is read.
    const long = `h=entry&access_token=${token}&content=${"x".repeat(1024 * 1024)}`;
    expect(await error(form(long, app.request))).toEqual([401, "unauthorized"]);
    expect(await error(form(long))).toEqual([400, "invalid_request"]);
    // A session is no token: pages of any origin may call.
    const bySession = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    expect(await error(form("h=entry&content=x", bySession))).toEqual([401, "unauthorized"]);
    expect(await error(bySession("/micropub?q=config"))).toEqual([401, "unauthorized"]);
    expect(await countPosts()).toBe(before);
  });

  test("804: refuses a token without the scope", async () => {
    const location = await made(entry({ content: ["Scopes"] }));
    const before = await countPosts();
    const reader = await withScopes("posts:read");
    expect(await error(form("h=entry&content=No", reader))).toEqual([401, "insufficient_scope"]);
    const creator = await withScopes("micropub:create");
    await made(entry({ content: ["Creator"] }, creator));
    for (const action of ["delete", "undelete", "update"])
      expect(await error(json({ action, url: location }, creator))).toEqual([401, "insufficient_scope"]);
    expect(await error(creator(`/micropub?q=source&url=${encodeURIComponent(location)}`))).toEqual([
      401,
      "insufficient_scope",
    ]);
    // Nor is it good for anything else.
    const post = { title: "x", content: "y", published: true };
    expect((await creator("/api/posts/", { method: "POST", json: post })).status).toBe(403);
    const drafter = await withScopes("micropub:draft");
    const draft = await made(entry({ content: ["Only a draft"] }, drafter));
    expect(await source(draft)).toMatchObject({ "post-status": ["draft"] });
    expect(await countPosts()).toBe(before + 2);
  });

  test("a draft's URL works for its owner, who can delete it there permanently", async () => {
    const location = await made(
      entry({ content: ["Draft"], "post-status": ["draft"], "mp-slug": ["My Slug"] }),
    );
    expect(location).toMatch(/^http:\/\/localhost\/write\?post=\d+$/);
    const bySession = withHeaders(app.request, { cookie: await makeSession(app.database, account) });
    expect((await bySession(location.replace("http://localhost", ""))).status).toBe(303);
    const published = await json({
      action: "update",
      url: location,
      replace: { "post-status": ["published"] },
    });
    expect([published.status, published.headers.get("location")]).toEqual([
      201,
      "http://localhost/posts/my-slug",
    ]);
    const other = await made(entry({ content: ["Draft"], "post-status": ["draft"] }));
    expect(await error(json({ action: "undelete", url: other }))).toEqual([400, "invalid_request"]);
    expect((await json({ action: "delete", url: other })).status).toBe(204);
    expect(await error(json({ action: "delete", url: other }))).toEqual([400, "invalid_request"]);
  });

  test("a check-in without a text has its venue as the title, and the kinds of posts are listed", async () => {
    const venue = { type: ["h-card"], properties: { name: ["Café Quince"], latitude: [52.5] } };
    const location = await made(entry({ checkin: [venue] }));
    expect(await source(location)).toMatchObject({ name: ["Café Quince"], checkin: [venue] });
    const kinds = await send("/micropub?q=post-types");
    expect(await kinds.json()).toEqual({
      "post-types": ["note", "article", "photo", "bookmark"].map((type) => expect.objectContaining({ type })),
    });
  });

  test("names, summaries, slugs and dates", async () => {
    const location = await made(
      entry({
        name: ["An article"],
        content: ["Text."],
        summary: ["Short."],
        "mp-slug": ["Årticle ß"],
        published: ["2020-02-03 04:05"],
      }),
    );
    expect(location).toBe("http://localhost/posts/article-ss");
    expect(await source(location)).toMatchObject({
      name: ["An article"],
      summary: ["Short."],
      published: ["2020-02-03T04:05:00.000Z"],
      "mp-slug": ["article-ss"],
      url: [location],
    });
    // A slug is a wish.
    const taken = await made(entry({ content: ["Same slug"], "mp-slug": ["article-ss"] }));
    expect(taken).toBe("http://localhost/posts/same-slug");
    const later = await made(entry({ content: ["Later"], published: ["2999-01-01T00:00:00Z"] }));
    expect(later).toContain("/write?post=");
    expect(await source(later)).toMatchObject({
      "post-status": ["published"],
      published: ["2999-01-01T00:00:00.000Z"],
    });
    const moved = await json({ action: "update", url: location, replace: { "mp-slug": ["elsewhere"] } });
    expect([moved.status, moved.headers.get("location")]).toEqual([201, "http://localhost/posts/elsewhere"]);
    // The former address is still good.
    expect(await source(location)).toMatchObject({ "mp-slug": ["elsewhere"] });
  });

  test("refuses what would become public by mistake, and anything but an entry", async () => {
    const before = await countPosts();
    for (const body of [
      "h=entry&content=x&visibility=private",
      "h=entry&content=x&post-status=secret",
      "h=entry&content=x&published=soon",
      "h=entry&photo=javascript:alert(1)",
      "h=entry&in-reply-to=nowhere",
      "h=event&name=x",
      "h=entry",
      "action=update&url=http://localhost/posts/x",
      "action=burn&url=http://localhost/posts/x",
      "h=entry&content=%FF",
    ])
      expect([body, await error(form(body))]).toEqual([body, [400, "invalid_request"]]);
    for (const body of [[], {}, { type: ["h-event"] }, { type: ["h-entry"], properties: { content: "x" } }])
      expect([body, await error(json(body))]).toEqual([body, [400, "invalid_request"]]);
    expect(await countPosts()).toBe(before);
  });

  test("a bookmark goes to the library, and a reply is a link", async () => {
    const location = await made(
      form(
        "h=entry&bookmark-of=https://kitchen.example/quince&name=Quince&content=Half+the+sugar.&category[]=C%23",
      ),
    );
    expect(location).toMatch(/\/library\/\d+$/);
    const id = location.split("/").at(-1);
    const bookmark = async () => (await send(`/bookmarks/${id}`)).json();
    expect(await bookmark()).toMatchObject({
      url: "https://kitchen.example/quince",
      title: "Quince",
      description: "Half the sugar.\n#C#",
    });
    await json({ action: "update", url: location, add: { category: ["recipes"] } });
    expect(await source(location)).toMatchObject({
      category: ["C#", "recipes"],
      content: ["Half the sugar."],
    });
    expect((await json({ action: "delete", url: location })).status).toBe(204);
    expect((await send(`/bookmarks/${id}`)).status).toBe(404);
    expect((await json({ action: "undelete", url: location })).status).toBe(204);
    expect(await bookmark()).toMatchObject({ title: "Quince" });
    const poster = await withScopes("posts:write", "posts:read");
    expect(await error(form("h=entry&bookmark-of=https://a.example/", poster))).toEqual([
      401,
      "insufficient_scope",
    ]);
    const reply = await made(form("h=entry&in-reply-to=https://a.example/post&content=Yes."));
    expect((await page(reply)).html).toContain('href="https://a.example/post"');
    expect(await source(reply)).toMatchObject({
      "in-reply-to": ["https://a.example/post"],
      content: ["Yes."],
    });
  });

  test("only whole addresses of this site name an entry", async () => {
    const location = await made(entry({ content: ["Named"] }));
    const { host, pathname } = new URL(location);
    const source = (url: string) => send(`/micropub?q=source&url=${encodeURIComponent(url)}`);
    expect((await source(location)).status).toBe(200);
    for (const url of [
      "",
      pathname,
      pathname.slice(1),
      `//${host}${pathname}`,
      `https://other.example${pathname}`,
    ])
      expect([url, (await source(url)).status]).toEqual([url, 400]);
  });

  test("a retry with the same Idempotency-Key creates nothing twice", async () => {
    const before = await countPosts();
    const once = withHeaders(send, { "idempotency-key": "m1" });
    const [first, second] = [
      await made(form("h=entry&content=Once", once)),
      await made(form("h=entry&content=Once", once)),
    ];
    expect(second).toBe(first);
    expect(await countPosts()).toBe(before + 1);
  });

  test("the front page says where it is", async () => {
    const response = await app.request("/");
    expect(response.headers.get("link")).toContain('<http://localhost/micropub>; rel="micropub"');
    expect(await response.text()).toContain('<link rel="micropub" href="http://localhost/micropub"');
  });

  test("pages of any origin may call it", async () => {
    const response = await withHeaders(send, { origin: "https://quill.example" })("/micropub?q=config");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("does not exist when PROTOCOLS leaves it out", async () => {
    const off = await service.startApp({ PROTOCOLS: "none" });
    expect((await off.request("/micropub?q=config")).status).toBe(404);
  });
});
