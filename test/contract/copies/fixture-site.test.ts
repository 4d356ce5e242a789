import { afterAll, beforeAll, expect, test } from "bun:test";
import { sanitizedAgain } from "../../../src/copies/extraction/sanitize-again.ts";
import { bombs } from "../../support/copies/bombs.ts";
import { fetchingFrom, ownExtractor } from "../../support/copies/fetching.ts";
import { FIXTURE_SITE } from "../../support/copies/fixture-site.ts";
import { describeContract, describeHttp } from "../../support/server/contract.ts";
import { loopbackNetwork } from "../../support/server/loopback-network.ts";

type Fetching = Awaited<ReturnType<typeof fetchingFrom>>;

const nothing = () => new Response("", { status: 404, headers: { "content-type": "text/html" } });

describeContract("A page of the fixture site", (service) => {
  const site = loopbackNetwork(
    (request) => FIXTURE_SITE[new URL(request.url).pathname]?.answer?.(request) ?? nothing(),
    (path) => FIXTURE_SITE[path]?.wire,
  );
  let fetching: Fetching;
  beforeAll(async () => {
    fetching = await fetchingFrom(await service.startApp(), site.network, ownExtractor);
  });
  afterAll(() => site.stop());

  test.each(Object.entries(FIXTURE_SITE))("%s gives what is written down", async (path, { gives }) => {
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

describeHttp("A page that is made to take time or memory", (service) => {
  const site = loopbackNetwork((request) => {
    const bomb = bombs[Number(new URL(request.url).pathname.slice(1))];
    return new Response(bomb?.page(), { headers: { "content-type": "text/html" } });
  });
  let fetching: Fetching;
  beforeAll(async () => {
    fetching = await fetchingFrom(await service.startApp(), site.network, ownExtractor);
  });
  afterAll(() => site.stop());

  test.each(bombs.map(({ name, refused }, index) => [name, refused, index] as const))(
    "is kept, and its text unless it is too much: %s",
    async (_, refused, index) => {
      const id = await fetching.ask(`http://site.example/${index}`);
      await fetching.run();
      const [copy] = await fetching.copiesOf(id);
      expect([await fetching.failureOf(id), copy?.words === 0]).toEqual([undefined, refused !== undefined]);
    },
  );
});
