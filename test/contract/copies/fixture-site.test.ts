import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sanitizedAgain } from "../../../src/copies/extraction/sanitize-again.ts";
import { bombs } from "../../support/copies/bombs.ts";
import { fetchingFrom, ownExtractor } from "../../support/copies/fetching.ts";
import { FIXTURE_SITE, type SitePage } from "../../support/copies/fixture-site.ts";
import { firstOfEach, oneOfEach } from "../../support/run/full-run.ts";
import { startApp, type TestApp } from "../../support/server/app.ts";
import { engines } from "../../support/server/engines.ts";
import { loopbackNetwork } from "../../support/server/loopback-network.ts";

type Fetching = Awaited<ReturnType<typeof fetchingFrom>>;

/** What becomes of a page: why there is no copy, or what is said of it. */
function kindOf({ gives }: SitePage): string {
  if (typeof gives === "string") return gives;
  const { title: _, words: __, language: ___, isArticle = true, ...about } = gives;
  return `${isArticle} ${Object.keys(about).join()}`;
}

const nothing = () => new Response("", { status: 404, headers: { "content-type": "text/html" } });

describe.each(engines)("A page of the fixture site ($name)", ({ name, createDatabase }) => {
  const toEnd = new AsyncDisposableStack();
  const site = loopbackNetwork(
    (request) => FIXTURE_SITE[new URL(request.url).pathname]?.answer?.(request) ?? nothing(),
    (path) => FIXTURE_SITE[path]?.wire,
  );
  let fetching: Fetching;
  beforeAll(async () => {
    const place = toEnd.use(await createDatabase());
    const app = await startApp({ DATABASE_URL: place.url });
    toEnd.defer(() => app.close());
    fetching = await fetchingFrom(app, site.network, ownExtractor);
  });
  afterAll(async () => {
    await toEnd.disposeAsync();
    await site.stop();
  });

  const all = Object.entries(FIXTURE_SITE);
  const kind = ([, page]: (typeof all)[number]) => kindOf(page);
  // How a page is read does not depend on the engine; what is stored of it does.
  const pages = name === engines[0]?.name ? oneOfEach(all, kind) : firstOfEach(all, kind);
  test.each(pages)("%s gives what is written down", async (path, { gives }) => {
    const { send, run, ask, failureOf, waiting, copiesOf } = fetching;
    const id = await ask(`http://site.example${path}`);
    const before = await (await send(`/bookmarks/${id}`)).text();
    await run();
    if (gives === "later") {
      expect([await copiesOf(id), await failureOf(id), await waiting()]).toEqual([[], undefined, 1]);
      await send(`/bookmarks/${id}`, { method: "DELETE" });
      await run();
    } else if (typeof gives === "string") {
      expect([await copiesOf(id), await failureOf(id)]).toEqual([[], gives]);
    } else {
      expect(await failureOf(id)).toBeUndefined();
      const [copy, ...others] = await copiesOf(id);
      const { path: where = path, isArticle = true, has = [], without = [], text: markup, ...about } = gives;
      const { type, ...expected } = { language: null, direction: null, byline: null, site: null, ...about };
      expect(others).toEqual([]);
      expect(copy).toMatchObject({
        origin: "fetched",
        url: `http://site.example${where}`,
        is_article: isArticle,
        ...expected,
      });
      const text = await (await send(`/bookmarks/${id}/copies/${copy?.id}/text`)).text();
      // An archive that comes in again is the same.
      expect(sanitizedAgain(text)).toBe(text);
      if (markup !== undefined) expect(text).toBe(markup);
      for (const part of has) expect(text).toContain(part);
      for (const part of without) expect(text).not.toContain(part);
      const original = await send(`/bookmarks/${id}/copies/${copy?.id}/original?download=true`);
      if (type !== undefined) expect(original.headers.get("content-type")).toBe(type);
    }
    expect(await waiting()).toBe(0);
    const after = await send(`/bookmarks/${id}`);
    if (after.status !== 404) expect(await after.text()).toBe(before);
  });
});

describe("A page that is made to take time or memory", () => {
  let app: TestApp;
  const site = loopbackNetwork((request) => {
    const bomb = bombs[Number(new URL(request.url).pathname.slice(1))];
    return new Response(bomb?.page(), { headers: { "content-type": "text/html" } });
  });
  let fetching: Fetching;
  beforeAll(async () => {
    app = await startApp();
    fetching = await fetchingFrom(app, site.network, ownExtractor);
  });
  afterAll(async () => {
    await app.close();
    await site.stop();
  });

  const kinds = bombs.map(({ name, refused }, index) => [name, refused, index] as const);
  test.each(oneOfEach(kinds, ([, refused]) => refused ?? ""))(
    "is kept, and its text unless it is too much: %s",
    async (_, refused, index) => {
      const id = await fetching.ask(`http://site.example/${index}`);
      await fetching.run();
      const [copy] = await fetching.copiesOf(id);
      expect([await fetching.failureOf(id), copy?.words === 0]).toEqual([undefined, refused !== undefined]);
    },
  );
});
