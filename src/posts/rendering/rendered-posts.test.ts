import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { StoppedClock } from "../../../test/support/machine/stopped-clock.ts";
import { until } from "../../../test/support/machine/until.ts";
import { engines } from "../../../test/support/server/engines.ts";
import type { Awaitable } from "../../awaitable.ts";
import type { Database, Sql } from "../../database/database.ts";
import { openDatabase } from "../../database/open.ts";
import { readTogether } from "../../database/read-together.ts";
import { Refusal } from "../../errors.ts";
import { Site } from "../../web/site/site-store.ts";
import { insertPost } from "../post-store.ts";
import { publicBasis } from "../public-basis.ts";
import type { ImageSize } from "./rendered-post.ts";
import { RenderedPosts } from "./rendered-posts.ts";

const IMAGE: ImageSize = { width: 1, height: 1, widths: [] };

for (const engine of engines)
  describe(`Rendered posts (${engine.name})`, () => {
    const toEnd = new AsyncDisposableStack();
    const clock = new StoppedClock();
    let database: Database;
    beforeAll(async () => {
      const { url } = toEnd.use(await engine.createDatabase());
      database = await openDatabase(url, { clock });
      toEnd.defer(() => database.close());
    });
    afterAll(() => toEnd.disposeAsync());

    /** A published post. */
    async function published(content: string) {
      const fields = { title: "A", content, published: true };
      const { id } = await database.write((sql) => insertPost(sql, fields, undefined, clock.now()));
      return { id, content, image: null as string | null };
    }

    const storedRows = (id: number) =>
      database.read<{ html: string }>`select html from rendered_posts where post_id = ${id} order by html`;

    async function untilStored(id: number, count = 1): Promise<void> {
      while ((await storedRows(id)).length < count) await Bun.sleep(0);
    }

    test("Simultaneous readers let a text be rendered once, and those of the next start not at all", async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let asked = 0;
      // The rendering ends when all three wait for it.
      const patience = () => {
        if (++asked === 3) release();
        return new Promise<undefined>(() => {});
      };
      const one = counting(database, { released, patience });
      const post = await published("*a*");
      const html = "<p>*a*</p>";
      const all = [
        one.posts.whole(post, database.read),
        one.posts.whole(post, database.read),
        one.posts.text(post, database.read),
      ];
      for (const rendered of await Promise.all(all)) expect(rendered).toMatchObject({ html, gaveUp: false });
      await untilStored(post.id);
      const next = counting(database);
      expect(await next.posts.whole(post, database.read)).toEqual(await one.posts.whole(post, database.read));
      expect([one.count(), next.count()]).toEqual([1, 0]);
    });

    test("A changed text, or an image that is there now, is rendered anew and takes the place of the old", async () => {
      const images = new Map<string, ImageSize>();
      const { posts } = counting(database, { images });
      const post = await published("old");
      await posts.whole(post, database.read);
      await untilStored(post.id);
      const changed = { ...post, content: "new" };
      expect((await posts.whole(changed, database.read)).html).toBe("<p>new</p>");
      images.set("/media/1.png", IMAGE);
      while ((await storedRows(post.id))[0]?.html !== "<p>new</p>") await Bun.sleep(0);
      expect((await posts.whole(changed, database.read)).html).toBe("<p>new</p>/media/1.png");
      while ((await storedRows(post.id))[0]?.html === "<p>new</p>") await Bun.sleep(0);
      expect(await storedRows(post.id)).toEqual([{ html: "<p>new</p>/media/1.png" }]);
    });

    test("The text with the post's image at the top is kept beside the text of lists", async () => {
      const { posts, count } = counting(database);
      const post = { ...(await published("text")), image: "/media/1.png" };
      await posts.text(post, database.read);
      await posts.whole(post, database.read);
      await untilStored(post.id, 2);
      expect((await posts.whole(post, database.read)).html).toBe("<p>![](</media/1.png>)\n\ntext</p>");
      expect((await posts.text(post, database.read)).html).toBe("<p>text</p>");
      expect(count()).toBe(2);
    });

    test("What was rendered goes with its post, also when it is rendered after the post is gone", async () => {
      const { posts } = counting(database);
      const post = await published("text");
      await posts.whole(post, database.read);
      await untilStored(post.id);
      await database.write((sql) => sql`delete from posts where id = ${post.id}`);
      expect((await posts.whole(post, database.read)).html).toBe("<p>text</p>");
      // A later write: the one of the rendering has ended.
      await published("other");
      expect(await storedRows(post.id)).toEqual([]);
    });

    test("A text that is stored while it is looked for is not rendered again", async () => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const found = Promise.withResolvers<void>();
      let isHeld = false;
      const read: Sql = Object.assign(async (...query: Parameters<Sql>) => {
        const rows = await database.read(...query);
        if (isHeld) await found.promise;
        return rows;
      }, database.read) as Sql;
      const { posts, count } = counting({ read, write: database.write.bind(database) }, { released });
      const post = await published("text");
      const first = posts.whole(post, database.read);
      await until("the first has begun", async () => count() === 1);
      isHeld = true;
      const second = posts.whole(post, database.read);
      release();
      await first;
      await untilStored(post.id);
      await database.write(async () => {});
      found.resolve();
      expect((await second).html).toBe("<p>text</p>");
      expect(count()).toBe(1);
    });

    test("A draft is not stored", async () => {
      let writes = 0;
      const write: Database["write"] = (work) => {
        writes++;
        return database.write(work);
      };
      const { posts } = counting({ read: database.read, write });
      expect((await posts.draft({ content: "*a draft*", image: null })).html).toBe("<p>*a draft*</p>");
      expect(writes).toBe(0);
    });

    test("The HTML of another version of the renderer is not shown", async () => {
      const { posts } = counting(database);
      const post = await published("text");
      await posts.whole(post, database.read);
      await untilStored(post.id);
      await database.write((sql) => sql`update rendered_posts set renderer = renderer - 1, html = 'older'`);
      expect((await posts.whole(post, database.read)).html).toBe("<p>text</p>");
    });

    test("A newer program's HTML is not replaced by an older one's, which shows its own", async () => {
      const { posts } = counting(database);
      const post = await published("text");
      await database.write(
        (sql) => sql`insert into rendered_posts values
          (${post.id}, ${false}, ${1_000_000}, 'sha256', 'newer', '', ${false}, ${1}, ${null})`,
      );
      expect((await posts.whole(post, database.read)).html).toBe("<p>text</p>");
      await published("other");
      expect(await storedRows(post.id)).toEqual([{ html: "newer" }]);
    });

    test("Where nothing can be written, the text is rendered once, and kept in memory", async () => {
      for (const reason of ["unavailable", "storage_full"] as const) {
        const write = () => Promise.reject(new Refusal(reason, "No."));
        const { posts, count } = counting({ read: database.read, write });
        const post = await published(reason);
        for (const _ of [1, 2])
          expect((await posts.whole(post, database.read)).html).toBe(`<p>${reason}</p>`);
        expect(count()).toBe(1);
      }
    });

    test("Nobody waits within a snapshot: it ends, and the next one finds what was rendered", async () => {
      for (const write of [
        database.write.bind(database),
        () => Promise.reject(new Refusal("unavailable", "No.")),
      ]) {
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        const { posts, count } = counting({ read: database.read, write }, { released });
        const texts = [await published(`one ${write.name}`), await published(`two ${write.name}`)];
        let open = 0;
        let begun = 0;
        const watched = {
          readMany: database.readMany,
          snapshot: <T>(work: (sql: Sql) => Awaitable<T>) =>
            database.snapshot(async (sql) => {
              open++;
              begun++;
              try {
                return await work(sql);
              } finally {
                open--;
              }
            }),
        };
        const reading = readTogether(watched, (read) =>
          Promise.all(texts.map(async (text) => (await posts.whole(text, read)).html)),
        );
        while (count() < 2) await Bun.sleep(0);
        expect(open).toBe(0);
        release();
        expect(await reading).toEqual(texts.map(({ content }) => `<p>${content}</p>`));
        expect(count()).toBe(2);
        expect(begun).toBeLessThan(5);
      }
    });

    test("A rendering that takes too long lets a snapshot wait once", async () => {
      const { posts, release } = heldUp(database);
      const post = await published("late");
      const { gaveUp } = await readTogether(database, (read) => posts.whole(post, read));
      expect(gaveUp).toBe(true);
      release();
    });

    test("A text that takes too long is neither stored nor tried again", async () => {
      const { posts, count } = counting(database, { gaveUp: true });
      const post = await published("slow");
      expect((await posts.whole(post, database.read)).gaveUp).toBe(true);
      await published("other");
      expect((await posts.whole(post, database.read)).gaveUp).toBe(true);
      expect([count(), await storedRows(post.id)]).toEqual([1, []]);
    });

    describe("A reader who no longer waits", () => {
      test("sees the text as it is until it is rendered, and then pages change", async () => {
        const { posts, release } = heldUp(database);
        const post = await published("*a*");
        expect(await posts.whole(post, database.read)).toMatchObject({
          gaveUp: true,
          html: '<pre tabindex="0">*a*</pre>',
        });
        expect([posts.isBehind, posts.caughtUp]).toEqual([true, 0]);
        release();
        while (posts.isBehind) await Bun.sleep(0);
        expect(posts.caughtUp).toBe(1);
        expect((await posts.whole(post, database.read)).html).toBe("<p>*a*</p>");
      });

      test("is one of a hundred; for others nothing is begun, and their pages change with the last of these", async () => {
        const { posts, release, count } = heldUp(database);
        for (let n = 0; n < 101; n++)
          expect((await posts.draft({ content: `${n}`, image: null })).gaveUp).toBe(true);
        expect(count()).toBe(100);
        release();
        while (posts.isBehind) await Bun.sleep(0);
        expect(posts.caughtUp).toBe(101);
      });

      test("has a page that changes by itself", async () => {
        const rendered = { isBehind: false, caughtUp: 0 };
        const basis = publicBasis(database, new Site(database), rendered);
        const before = await basis();
        rendered.isBehind = true;
        expect((await basis()).validUntil).toBe(clock.now().getTime() + 1_000);
        rendered.isBehind = false;
        rendered.caughtUp = 1;
        expect((await basis()).value).not.toBe(before.value);
      });
    });
  });

interface CountingOptions {
  readonly images?: ReadonlyMap<string, ImageSize>;
  readonly gaveUp?: boolean;
  /** What renderings wait for. */
  readonly released?: Promise<void>;
  readonly patience?: () => Promise<undefined>;
}

/** Posts as a new process has them, with a renderer that counts its renderings. */
function counting(
  database: Pick<Database, "read" | "write">,
  { images = new Map(), gaveUp = false, released, patience }: CountingOptions = {},
) {
  let count = 0;
  const renderer = {
    render: async (text: string, sizes: ReadonlyMap<string, ImageSize>) => {
      count++;
      await released;
      const html = `<p>${text}</p>${[...sizes.keys()].join(" ")}`;
      return { html, excerpt: text, hasMore: false, minutes: 1, image: undefined, gaveUp };
    },
  };
  const fail = (error: unknown) => {
    throw error;
  };
  const options = { onFailure: fail, ...(patience && { patience }) };
  return { posts: new RenderedPosts(database, renderer, async () => images, options), count: () => count };
}

/** Renderings that do not end before `release`, and readers who do not wait. */
function heldUp(database: Database) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  return { ...counting(database, { released, patience: async () => undefined }), release };
}
