import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import {
  bodyOf,
  clear,
  createPost,
  DRAFTS,
  describeBlog,
  etagOf,
  POSTS,
  pathOf,
  read,
  readPage,
} from "../../support/records/blog.ts";

interface Publication {
  readonly kind: string;
  readonly slug: string | null;
  readonly published_at: string | null;
  readonly publish_at: string | null;
  readonly tags: readonly string[];
}

const NOTHING_SET = {
  kind: "post",
  link: null,
  slug: null,
  summary: null,
  tags: [],
  published_at: null,
  publish_at: null,
  language: null,
  image: null,
  canonical_url: null,
};

const MEMBERS = Object.keys(NOTHING_SET);

describeBlog("The publication of a post", (blog) => {
  const { editor, anyone } = blog;
  const publicationPathOf = (post: { id: number; published: boolean }) => `${pathOf(post)}publication/`;

  async function patch(path: string, json: object, headers: Record<string, string> = {}) {
    return editor(path, { method: "PATCH", json, headers });
  }

  test("of a new draft is empty", async () => {
    const draft = await createPost(editor, { published: false });
    expect(await read<object>(editor, publicationPathOf(draft))).toEqual(NOTHING_SET);
  });

  test("of a published post has a slug from its title and its date", async () => {
    const post = await createPost(editor, { title: "Über Öl & Äpfel!" });
    const publication = await read<Publication>(anyone, publicationPathOf(post));
    expect(Object.keys(publication)).toEqual(MEMBERS);
    expect(publication).toEqual({ ...NOTHING_SET, slug: "uber-ol-apfel", published_at: post.created_at });
  });

  test("has a slug that no other post has, and never one of digits alone", async () => {
    const [first, second] = [
      await createPost(editor, { title: "Twice" }),
      await createPost(editor, { title: "Twice" }),
    ];
    expect((await read<Publication>(anyone, publicationPathOf(first))).slug).toBe("twice");
    expect((await read<Publication>(anyone, publicationPathOf(second))).slug).toBe(`twice-${second.id}`);
    const number = await createPost(editor, { title: "2026" });
    expect((await read<Publication>(anyone, publicationPathOf(number))).slug).toBe("post-2026");
    const nothing = await createPost(editor, { title: "?!" });
    expect((await read<Publication>(anyone, publicationPathOf(nothing))).slug).toBe(`post-${nothing.id}`);
    const reserved = await createPost(editor, { title: "Archive" });
    expect((await read<Publication>(anyone, publicationPathOf(reserved))).slug).toBe(
      `archive-${reserved.id}`,
    );
  });

  test("has a slug that no other post has, even if another post has chosen the one with its id", async () => {
    const [chosen, first] = [
      await createPost(editor, { title: "Chosen" }),
      await createPost(editor, { title: "Taken" }),
    ];
    const next = first.id + 1;
    await patch(publicationPathOf(chosen), { slug: `taken-${next}` });
    const post = await createPost(editor, { title: "Taken" });
    expect(post.id).toBe(next);
    expect((await read<Publication>(anyone, publicationPathOf(post))).slug).toBe(`taken-${next}-again`);
  });

  test("makes no slug of a title that another post had, so that old links lead where they did", async () => {
    const moved = await createPost(editor, { title: "Moved" });
    await patch(publicationPathOf(moved), { slug: "moved-on" });
    const slugOf = async (post: { id: number; published: boolean }) =>
      (await read<Publication>(anyone, publicationPathOf(post))).slug;

    const added = await createPost(editor, { title: "Moved" });
    expect(await slugOf(added)).toBe(`moved-${added.id}`);
    const draft = await createPost(editor, { title: "Moved", published: false });
    await editor(pathOf(draft), { method: "PATCH", json: { published: true } });
    expect(await slugOf({ ...draft, published: true })).toBe(`moved-${draft.id}`);
    await patch(publicationPathOf(added), { slug: null });
    expect(await slugOf(added)).toBe(`moved-${added.id}`);
    expect((await anyone("/posts/moved")).headers.get("location")).toBe("/posts/moved-on");

    // The id appended makes a slug that may be a former one, too.
    const next = draft.id + 1;
    await patch(publicationPathOf(moved), { slug: `moved-${next}` });
    await patch(publicationPathOf(moved), { slug: "moved-at-last" });
    const third = await createPost(editor, { title: "Moved" });
    expect([third.id, await slugOf(third)]).toEqual([next, `moved-${next}-again`]);
  });

  test("takes back a slug of its own, and one of another post when it is asked for", async () => {
    const post = await createPost(editor, { title: "Returning" });
    const path = publicationPathOf(post);
    await patch(path, { slug: "gone" });
    await patch(path, { slug: null });
    expect((await read<Publication>(anyone, path)).slug).toBe("returning");
    const other = await createPost(editor, { title: "Other" });
    expect((await patch(publicationPathOf(other), { slug: "gone" })).status).toBe(200);
    expect((await anyone("/posts/gone")).status).toBe(200);
  });

  test("takes its slug when a draft is published, and keeps it when the title changes", async () => {
    const draft = await createPost(editor, { title: "Before", published: false });
    const published = await editor(pathOf(draft), { method: "PATCH", json: { published: true } });
    expect(published.status).toBe(200);
    const post = { ...draft, published: true };
    expect((await read<Publication>(anyone, publicationPathOf(post))).slug).toBe("before");
    await editor(pathOf(post), { method: "PATCH", json: { title: "After" } });
    expect((await read<Publication>(anyone, publicationPathOf(post))).slug).toBe("before");
  });

  test("has another tag once a post that is older than slugs gets one", async () => {
    const post = await createPost(editor, { title: "Old" });
    await blog.database.write((sql) => sql`update posts set slug = null where id = ${post.id}`);
    const path = publicationPathOf(post);
    const etag = await etagOf(anyone, path);
    expect((await read<Publication>(anyone, path)).slug).toBeNull();
    await editor(pathOf(post), { method: "PATCH", json: { title: "Older" } });
    const now = await anyone(path, { headers: { "if-none-match": etag } });
    expect([now.status, await now.json()]).toEqual([
      200,
      { ...NOTHING_SET, slug: "older", published_at: post.created_at },
    ]);
  });

  test("is changed by members, and replaced as a whole", async () => {
    const post = await createPost(editor, { title: "Changed" });
    const path = publicationPathOf(post);
    const changed = await patch(path, {
      summary: "Short.",
      tags: ["Dev/JS", "dev/js", "C++"],
      language: "de",
    });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({
      summary: "Short.",
      tags: ["dev/js", "C++"],
      slug: "changed",
    });
    const link = { kind: "link", link: "https://example.com", image: "/media/abc.png" };
    const replaced = await editor(path, { method: "PUT", json: link });
    expect(await replaced.json()).toEqual({
      ...NOTHING_SET,
      ...link,
      link: "https://example.com/",
      slug: "changed",
      published_at: post.created_at,
    });
  });

  test("says which dates are possible", async () => {
    const post = await createPost(editor, { title: "Dated" });
    for (const published_at of ["1969-12-31T23:59:59Z", "0075-01-01T00:00:00Z", "soon"]) {
      const refused = await patch(publicationPathOf(post), { published_at });
      expect([published_at, ((await refused.json()) as { errors: unknown }).errors]).toEqual([
        published_at,
        [
          {
            pointer: "/published_at",
            code: "datetime_invalid",
            detail:
              "Must be an RFC 3339 date and time of the years 1970 to 9999, such as 2026-11-21T06:40:12Z.",
          },
        ],
      ]);
    }
  });

  test("refuses invalid values, with all errors at once", async () => {
    const post = await createPost(editor, { title: "Refused" });
    const refused = await patch(publicationPathOf(post), {
      kind: "link",
      slug: "Not A Slug",
      tags: ["fine", "not fine"],
      language: "not a language",
      canonical_url: "javascript:alert(1)",
      published_at: "yesterday",
    });
    expect(refused.status).toBe(422);
    const { errors } = (await refused.json()) as { errors: { pointer: string; code: string }[] };
    expect(errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()).toEqual([
      "/canonical_url url_scheme",
      "/language unknown_value",
      "/published_at datetime_invalid",
      "/slug slug_invalid",
      "/tags/1 tag_invalid",
    ]);
    for (const [json, error] of [
      [{ kind: "link" }, "/link missing"],
      [{ link: "https://example.com/" }, "/link unknown_value"],
      [{ publish_at: "2999-01-01T00:00:00Z" }, "/publish_at not_a_draft"],
      [{ published_at: "2999-01-01T00:00:00Z" }, "/published_at out_of_range"],
      [{ published_at: null }, "/published_at wrong_type"],
      [{ published_at: "2023-02-29T00:00:00Z" }, "/published_at datetime_invalid"],
      [{ published_at: "2024-01-01T24:00:00Z" }, "/published_at datetime_invalid"],
      [{ slug: "2026" }, "/slug slug_invalid"],
      [{ slug: "archive" }, "/slug slug_invalid"],
      [{ slug: "e\u0301" }, "/slug slug_invalid"],
    ] as const) {
      const response = await patch(publicationPathOf(post), json);
      expect([json, response.status]).toEqual([json, 422]);
      const problem = (await response.json()) as { errors: { pointer: string; code: string }[] };
      expect(problem.errors.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([error]);
    }
  });

  test("does not take another post's slug", async () => {
    const [one, other] = [
      await createPost(editor, { title: "Mine" }),
      await createPost(editor, { title: "Yours" }),
    ];
    expect((await patch(publicationPathOf(other), { slug: "mine" })).status).toBe(409);
    expect((await read<Publication>(anyone, publicationPathOf(other))).slug).toBe("yours");
    expect((await patch(publicationPathOf(one), { slug: "mine" })).status).toBe(200);
  });

  test("has its own tag: a comment does not make an author's save fail, another author's save does", async () => {
    const post = await createPost(editor, { title: "Guarded" });
    const path = publicationPathOf(post);
    const etag = await etagOf(editor, path);
    await editor(`${pathOf(post)}comments/`, { method: "POST", json: { text: "Hello" } });
    expect((await patch(path, { summary: "One" }, { "if-match": etag })).status).toBe(200);
    expect((await patch(path, { summary: "Two" }, { "if-match": etag })).status).toBe(412);
    expect((await anyone(path, { headers: { "if-none-match": await etagOf(anyone, path) } })).status).toBe(
      304,
    );
  });

  test("is not changed by an equal one, and keeps every tag", async () => {
    const post = await createPost(editor, { title: "Same" });
    const [own, list] = [await etagOf(editor, publicationPathOf(post)), await etagOf(editor, POSTS)];
    expect((await patch(publicationPathOf(post), { slug: "same", tags: [] })).status).toBe(200);
    expect([await etagOf(editor, publicationPathOf(post)), await etagOf(editor, POSTS)]).toEqual([own, list]);
  });

  test("is embedded with `include`, and members are left out with `omit`", async () => {
    const post = await createPost(editor, { title: "Embedded" });
    await patch(publicationPathOf(post), { tags: ["one"] });
    const path = `${pathOf(post)}?include=publication&omit=comments,content`;
    expect(Object.keys(await read<object>(anyone, path))).toEqual([
      "id",
      "title",
      "published",
      "created_at",
      "publication",
    ]);
    const page = await readPage<{ publication: Publication }>(anyone, `${POSTS}?include=publication`);
    expect(page.results[0]?.publication).toMatchObject({ slug: "embedded", tags: ["one"] });
    await patch(publicationPathOf(post), { tags: ["two"] });
    const later = await readPage<{ publication: Publication }>(anyone, `${POSTS}?include=publication`);
    expect(later.results[0]?.publication.tags).toEqual(["two"]);
    expect((await anyone(`${POSTS}?include=author`)).status).toBe(422);
  });

  test("of a draft is for accounts, of a post for everyone, and changed by accounts alone", async () => {
    const draft = await createPost(editor, { published: false });
    expect((await anyone(publicationPathOf(draft))).status).toBe(401);
    expect((await editor(`${POSTS}${draft.id}/publication/`)).status).toBe(404);
    const post = await createPost(editor);
    expect((await anyone(publicationPathOf(post), { method: "PATCH", json: {} })).status).toBe(401);
    expect((await editor(`${DRAFTS}${post.id}/publication/`)).status).toBe(404);
  });

  test("is deleted with its post", async () => {
    const post = await createPost(editor, { title: "Gone" });
    await patch(publicationPathOf(post), { slug: "gone-soon", tags: ["one"] });
    expect((await editor(pathOf(post), { method: "DELETE" })).status).toBe(204);
    const next = await createPost(editor, { title: "Gone soon" });
    expect((await read<Publication>(anyone, publicationPathOf(next))).slug).toBe("gone-soon");
  });
});

describeBlog("A scheduled post", (blog) => {
  const { editor, anyone } = blog;
  const publicationPathOf = (id: number) => `${DRAFTS}${id}/publication/`;
  // Soon: sessions and tokens of other tests in this process must not end when the clock is set to it.
  let at = new Date(0);
  beforeEach(() => {
    at = new Date(Date.now() + 30_000);
  });

  afterEach(async () => {
    setSystemTime();
    await clear(blog);
  });

  async function schedule(title = "Later"): Promise<number> {
    const { id } = await createPost(editor, { title, published: false });
    const response = await editor(publicationPathOf(id), {
      method: "PATCH",
      json: { publish_at: at.toISOString() },
    });
    expect(response.status).toBe(200);
    return id;
  }

  test("is in no list and no count before its time, and in all of them from then on", async () => {
    const before = await createPost(editor, { title: "Before" });
    const id = await schedule();
    expect(await readPage(anyone, POSTS)).toMatchObject({ count: 1, results: [before] });
    expect((await anyone(`${POSTS}${id}/`)).status).toBe(404);
    expect((await readPage(editor, DRAFTS)).count).toBe(1);
    setSystemTime(at.getTime() - 1);
    expect((await readPage(anyone, POSTS)).count).toBe(1);
    setSystemTime(at);
    expect((await readPage(anyone, POSTS)).count).toBe(2);
    expect((await readPage(editor, DRAFTS)).count).toBe(0);
    expect((await anyone(`${POSTS}${id}/`)).status).toBe(200);
    const publication = await read<Publication>(anyone, `${POSTS}${id}/publication/`);
    expect(publication).toMatchObject({ published_at: at.toISOString(), publish_at: null, slug: "later" });
  });

  test("changes cached responses and their tags at its time, in every process", async () => {
    const other = blog.servedWith();
    const id = await schedule();
    const etag = await etagOf(anyone, POSTS);
    expect((await other.anyone(POSTS, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await readPage(other.anyone, POSTS)).count).toBe(0);
    setSystemTime(at);
    for (const read of [other.anyone, anyone]) {
      const response = await read(POSTS, { headers: { "if-none-match": etag } });
      expect(response.status).toBe(200);
      expect(((await response.json()) as { count: number }).count).toBe(1);
      expect((await read(`${POSTS}${id}/`)).status).toBe(200);
    }
  });

  test("is on the page of the bookmark that it leads to, and the bookmark is not published again", async () => {
    const url = `https://due.example/${crypto.randomUUID()}`;
    const { id } = await bodyOf(
      await editor("/bookmarks/", { method: "POST", json: { title: "Due", url, description: "" } }),
    );
    const later = await schedule("Leads there");
    await editor(publicationPathOf(later), { method: "PATCH", json: { kind: "link", link: url } });
    const page = async (path: string) =>
      (await (await blog.browser(path, { headers: { accept: "text/html" } })).text()).includes("Leads there");
    expect(await page(`/library/${id}`)).toBe(false);
    setSystemTime(at);
    expect(await page(`/library/${id}`)).toBe(true);
  });

  test.each([
    ["POST", (id: number) => `/bookmarks/${id}/publish`],
    ["GET", (id: number) => `/library/${id}/publish`],
  ] as const)("is published before %s looks for it", async (method, path) => {
    const later = await schedule();
    const url = `https://due.example/${crypto.randomUUID()}`;
    const { id } = await bodyOf(
      await editor("/bookmarks/", { method: "POST", json: { title: "Due", url, description: "" } }),
    );
    await editor(publicationPathOf(later), { method: "PATCH", json: { kind: "link", link: url } });
    setSystemTime(at);
    const response =
      method === "POST"
        ? await editor(path(id), { method, json: {} })
        : await blog.browser(path(id), { headers: { accept: "text/html" } });
    expect([
      response.status,
      (await response.text()).includes(method === "POST" ? "Later" : "already on your site"),
    ]).toEqual([200, true]);
  });

  test("is published once, even if many requests notice it at once", async () => {
    const other = blog.servedWith();
    const ids = [await schedule("One"), await schedule("Two"), await schedule("Three")];
    setSystemTime(at);
    const counts = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => (await readPage(n % 2 ? anyone : other.anyone, POSTS)).count,
      ),
    );
    expect(new Set(counts)).toEqual(new Set([3]));
    for (const id of ids) expect((await anyone(`${POSTS}${id}/`)).status).toBe(200);
  });

  test("counts as published for writers, too, from its time on", async () => {
    const id = await schedule();
    setSystemTime(at);
    expect((await editor(`${DRAFTS}${id}/`, { method: "PATCH", json: { title: "Too late" } })).status).toBe(
      404,
    );
    const other = await schedule2();
    expect(
      (await editor(`${POSTS}${other}/comments/`, { method: "POST", json: { text: "First" } })).status,
    ).toBe(201);

    async function schedule2(): Promise<number> {
      setSystemTime(at.getTime() - 1_000);
      const scheduled = await schedule("Other");
      setSystemTime(at);
      return scheduled;
    }
  });

  test("that is published earlier, or unscheduled, is no longer scheduled", async () => {
    const [early, never] = [await schedule("Early"), await schedule("Never")];
    await editor(`${DRAFTS}${early}/`, { method: "PATCH", json: { published: true } });
    const publication = await read<Publication>(anyone, `${POSTS}${early}/publication/`);
    expect(publication.publish_at).toBeNull();
    await editor(publicationPathOf(never), { method: "PATCH", json: { publish_at: null } });
    setSystemTime(at);
    expect((await readPage(anyone, POSTS)).count).toBe(1);
  });

  test("cannot be in the past", async () => {
    const { id } = await createPost(editor, { published: false });
    const response = await editor(publicationPathOf(id), {
      method: "PATCH",
      json: { publish_at: "2020-01-01T00:00:00Z" },
    });
    expect(response.status).toBe(422);
  });
});
