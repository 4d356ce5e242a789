import { expect, test } from "bun:test";
import { makeImage } from "../../support/files/images.ts";
import { describeSite } from "../../support/pages/site.ts";
import { makeSession, withHeaders } from "../../support/records/accounts.ts";
import { bodyOf, createPost } from "../../support/records/blog.ts";
import { submit } from "../../support/requests/forms.ts";
import type { Send } from "../../support/requests/send.ts";

const DEFAULT = { theme: "leaf", accent: "blue", text: "serif", front_page: "summaries" };

describeSite("The look of the site", (site) => {
  const signedIn = async () =>
    withHeaders(site.send, { cookie: await makeSession(site.database, await site.createAccount()) });
  const htmlOf = async (path: string, send: Send = site.send) => (await send(path)).text();
  const sheetsIn = (html: string) =>
    [...html.matchAll(/<link rel="stylesheet" href="\/assets\/[^/"]+\/([^"]+)"/g)].map(([, name]) => name);
  const image = "/media/cover.png";

  test("changes all pages for readers at once, and with the default words they are what they were", async () => {
    const owner = await signedIn();
    const post = await createPost(owner, {
      title: "A post",
      content: "First.\n\n## Further down\n\nSecond.",
    });
    await owner(`/api/posts/${post.id}/publication/`, {
      method: "PATCH",
      json: { summary: "Short.", image },
    });
    await submit(owner, "/settings/theme", { css: "p { color: red }" });
    const before = await Promise.all(["/", "/archive", "/search?q=x"].map((path) => htmlOf(path)));
    const saved = await submit(owner, "/settings/look", { ...DEFAULT, theme: "ink", accent: "green" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, "/settings/look"]);
    for (const path of ["/", "/archive", "/search?q=x", "/tags", "/posts/a-post"])
      expect([path, sheetsIn(await htmlOf(path))]).toEqual([
        path,
        // The owner's rules come last.
        ["site.css", "look-ink-green-serif-summaries.css", "theme.css"],
      ]);
    for (const path of ["/settings", "/write", "/library", "/settings/theme"])
      expect([path, (await htmlOf(path, owner)).includes("look-ink")]).toEqual([path, false]);
    await submit(owner, "/settings/look", DEFAULT);
    expect(await Promise.all(["/", "/archive", "/search?q=x"].map((path) => htmlOf(path)))).toEqual(before);
    await submit(owner, "/settings/theme", { css: "", action: "remove" });
  });

  test("has a style sheet that is immutable under a unique name, and only for words that exist", async () => {
    const owner = await signedIn();
    await submit(owner, "/settings/look", { ...DEFAULT, theme: "letter" });
    const [url = ""] = /\/assets\/[^"]+\/look-[^"]+/.exec(await htmlOf("/archive")) ?? [];
    const sheet = await site.send(url);
    expect([sheet.headers.get("content-type"), sheet.headers.get("cache-control")]).toEqual([
      "text/css; charset=utf-8",
      "public, max-age=31536000, immutable",
    ]);
    expect(await sheet.text()).toStartWith(":root{--paper:light-dark(");
    const old = await site.send("/assets/old/look-letter-blue-serif-summaries.css");
    expect([old.status, old.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    for (const name of ["look-letter.css", "look-x-blue-serif-summaries.css", "look-.css"])
      expect((await site.send(`/assets/x/${name}`)).status).toBe(404);
    await submit(owner, "/settings/look", DEFAULT);
  });

  test("decides what the front page shows of each post, and no other list", async () => {
    const owner = await signedIn();
    const shown = async (front_page: string) => {
      await submit(owner, "/settings/look", { ...DEFAULT, front_page });
      const html = await htmlOf("/");
      return {
        picture: html.includes(
          `<img class="u-photo" src="${image}" alt fetchpriority="high" decoding="async"/>`,
        ),
        summary: html.includes("Short."),
        text: html.includes("Second."),
        heading: /<h3 id="p\d+-h-further-down"/.test(html),
      };
    };
    const none = { picture: false, text: false, heading: false, summary: true };
    expect(await shown("summaries")).toEqual(none);
    expect(await shown("pictures")).toEqual({ ...none, picture: true });
    expect(await shown("whole")).toEqual({ ...none, text: true, heading: true });
    const tagged = await htmlOf("/search?q=post");
    expect(tagged).not.toContain("Second.</p>");
    await submit(owner, "/settings/look", DEFAULT);
  });

  test("can be seen on a real post and on the front page before it is saved", async () => {
    const owner = await signedIn();
    const query = "theme=letter&accent=red&text=sans&front_page=whole";
    const before = await htmlOf("/");
    const post = await htmlOf(`/settings/look/preview?${query}&show=post`, owner);
    expect(sheetsIn(post)).toEqual(["site.css", "look-letter-red-sans-whole.css"]);
    expect(post).toContain("This is a preview. Nothing is saved.");
    expect(post).toContain('<meta name="robots" content="noindex"/>');
    expect(post).toContain("<title>A post · ");
    // The head and the foot are those of a reader.
    for (const own of ['href="/write"', 'href="/settings"', 'href="/account"'])
      expect(post).not.toContain(own);
    expect(await htmlOf(`/settings/look/preview?${query}&show=front`, owner)).toContain("Second.</p>");
    expect(await htmlOf("/")).toBe(before);
    // Back in the form, the choice is still there.
    const form = await htmlOf(`/settings/look?${query}`, owner);
    for (const word of ["letter", "red", "sans", "whole"]) expect(form).toContain(`value="${word}" checked`);
  });

  test("is shown in a frame of the page where it is chosen, and nothing else of ours in any", async () => {
    const owner = await signedIn();
    const policyOf = async (path: string) =>
      (await owner(path)).headers.get("content-security-policy")?.match(/frame-[a-z]+ '\w+'/g) as
        | string[]
        | undefined;
    const closed: string[] = ["frame-ancestors 'none'"];
    expect(await policyOf("/settings/look")).toEqual([...closed, "frame-src 'self'"]);
    expect(await policyOf("/settings/look/preview?show=front&framed=yes")).toEqual([
      "frame-ancestors 'self'",
    ]);
    for (const path of ["/settings/look/preview", "/settings/theme", "/", "/no/such"])
      expect([path, await policyOf(path)]).toEqual([path, closed]);
    expect((await owner("/settings/look/preview?framed=no")).status).toBe(422);
    const frame = async (query: string) =>
      /<iframe src="([^"]+)"/
        .exec(await htmlOf(`/settings/look${query}`, owner))?.[1]
        ?.replaceAll("&amp;", "&");
    const shown = await frame("?theme=index&accent=teal");
    expect(shown).toBe(
      "/settings/look/preview?theme=index&accent=teal&text=serif&front_page=summaries&show=front&framed=yes",
    );
    expect(await htmlOf(shown ?? "", owner)).not.toContain("This is a preview.");
    const refused = await submit(owner, "/settings/look", { ...DEFAULT, theme: "mauve" });
    expect(await refused.text()).toContain("/settings/look/preview?accent=blue");
  });

  test("takes only words that exist, and shows the form again otherwise", async () => {
    const owner = await signedIn();
    for (const wrong of [{ theme: "constructor" }, { accent: "#f00" }, { text: "" }, { front_page: "x" }]) {
      const refused = await submit(owner, "/settings/look", { ...DEFAULT, ...wrong });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain("<title>Error: How your site looks");
    }
    expect((await owner("/settings/look/preview?theme=teal")).status).toBe(422);
    expect((await owner("/settings/look?theme=teal")).status).toBe(200);
    expect((await site.send("/settings/look/preview")).status).toBe(303);
    expect(await htmlOf("/")).not.toContain("/look-");
  });

  test("of a theme with a layout of its own decides what the lists show", async () => {
    const owner = await signedIn();
    const link = await createPost(owner, { title: "A link", content: "Of the link." });
    await owner(`/api/posts/${link.id}/publication/`, {
      method: "PATCH",
      json: { kind: "link", link: "https://example.org/" },
    });
    await owner("/api/site/", { method: "PATCH", json: { description: "Letters from a river." } });
    const [post] = await site.database.read<{ id: number }>`select id from posts where title = ${"A post"}`;
    for (const id of [link.id, post?.id])
      await owner(`/api/posts/${id}/publication/`, { method: "PATCH", json: { tags: ["letters"] } });
    const shown = async (theme: string, path: string) => {
      await submit(owner, "/settings/look", { ...DEFAULT, theme, front_page: "whole" });
      const html = await htmlOf(path);
      return {
        order: [...html.matchAll(/(?:h-entry|p-name)"[^>]*>(?:<a [^>]*>)?(A link|A post)</g)].map(
          ([, title]) => title,
        ),
        large: html.includes('class="row first h-entry"'),
        tagline: /<p class="tagline" dir="auto">Letters from a river\.<\/p>.*<main/.test(html),
        picture: html.includes("u-photo"),
        summary: html.includes('<p class="entry p-summary" dir="auto">Short.'),
        text: html.includes("Second.</p>"),
        year: /<h2 class="margin" id="y\d{4}">\d{4}<\/h2>/.test(html),
      };
    };
    const newestFirst = ["A link", "A post"];
    const leaf = {
      order: newestFirst,
      large: false,
      tagline: false,
      picture: false,
      text: true,
      year: false,
      summary: true,
    };
    expect(await shown("leaf", "/")).toEqual(leaf);
    expect(await shown("column", "/")).toEqual(leaf);
    expect(await shown("journal", "/")).toEqual({
      ...leaf,
      // The newest post is first, and links follow.
      ...{ order: ["A post", "A link"], large: true, tagline: true, picture: true, text: false },
    });
    // What follows, and other lists, keep their order.
    const inOrder = { order: newestFirst, large: false, tagline: false };
    expect(await shown("journal", "/tags/letters")).toMatchObject(inOrder);
    const newer = await Promise.all(Array.from({ length: 20 }, () => createPost(owner, { title: "Newer" })));
    expect(await shown("journal", "/?page=2")).toMatchObject(inOrder);
    for (const { id } of newer) await owner(`/api/posts/${id}/`, { method: "DELETE" });
    expect(await shown("index", "/")).toEqual({ ...leaf, text: false, year: true, summary: false });
    // The choice comes back with a theme that leaves it.
    expect(await shown("quiet", "/")).toEqual(leaf);
    await owner("/api/site/", { method: "PATCH", json: { description: null } });
    await owner(`/api/posts/${link.id}/`, { method: "DELETE" });
    await submit(owner, "/settings/look", DEFAULT);
  });

  test("shows pictures at the widths that are stored, as a part of the title's link, the first of them at once", async () => {
    const owner = await signedIn();
    const upload = async (height: number) => {
      const body = (await makeImage("jpeg", { width: 1_300, height })) as Uint8Array<ArrayBuffer>;
      const sent = await owner("/api/media/", {
        method: "POST",
        body,
        headers: { "content-type": "image/jpeg" },
      });
      return (await bodyOf<{ url: string }>(sent)).url;
    };
    const [old, young] = [await upload(600), await upload(700)];
    // An earlier program made fewer versions.
    await site.database.write(
      (sql) => sql`
        delete from media_forms where width in ${[480, 1_200]} and sha = ${old.slice("/media/".length, -4)}`,
    );
    await createPost(owner, { title: "Old picture", content: `Text.\n\n![A](${old})\n\n![B](${young})` });
    const { id } = await createPost(owner, {
      title: "New picture",
      content: `![B](${young})\n\n![A](${old})`,
    });
    await owner(`/api/posts/${id}/publication/`, { method: "PATCH", json: { image: young } });
    const at = (path: string, ...widths: number[]) =>
      [...widths.map((width) => `${path.replace(".", `-${width}.`)} ${width}w`), `${path} 1300w`].join(", ");
    const picture = (path: string, height: number, urgency: string, ...widths: number[]) =>
      `<img class="u-photo" src="${path}" srcset="${at(path, ...widths)}" ` +
      `sizes="(min-width: 52rem) 36rem, 100vw" width="1300" height="${height}" alt ${urgency} decoding="async"/></a></h2>`;

    await submit(owner, "/settings/look", { ...DEFAULT, front_page: "pictures" });
    const pictures = await htmlOf("/");
    expect(pictures).toContain(`New picture${picture(young, 700, 'fetchpriority="high"', 480, 800, 1_200)}`);
    expect(pictures).toContain(`Old picture${picture(old, 600, 'loading="lazy"', 800)}`);

    const first = (html: string) =>
      [...html.matchAll(/<img [^<>]*>/g)].map(([tag]) => [
        tag.includes('fetchpriority="high"'),
        tag.includes('loading="lazy"'),
        /width="1300" height="\d+"/.test(tag),
      ]);
    const all = [
      [true, false, true],
      [false, true, true],
    ];
    const more = [false, true, true];
    await submit(owner, "/settings/look", { ...DEFAULT, front_page: "whole" });
    // Two of each post.
    expect(first(await htmlOf("/")).slice(0, 4)).toEqual([...all, more, more]);
    expect(first(await htmlOf("/posts/old-picture")).slice(0, 2)).toEqual(all);
    expect(await htmlOf("/posts/old-picture")).toContain(`srcset="${at(old, 800)}"`);
    await submit(owner, "/settings/look", DEFAULT);
  });
});
