import { describe, expect, test } from "bun:test";
import { type Files, importedFiles } from "../../support/files/imported-site.ts";

const post = (title: string, text = "Text") => `---\ntitle: ${title}\ndate: 2020-01-02\n---\n${text}\n`;

/** The text of the post *One* of a site, without its first and last line, and the notes of the report about links. */
async function one(files: Files) {
  const { posts, report } = await importedFiles(files);
  const notes = report.notes.filter(({ code }) => code === "shortcode" || code === "link_lost");
  return { content: posts.One?.content.trim(), notes: notes.map(({ detail }) => detail) };
}

/** Sites in which *Two* has the heading *Part*: what links to it, and what that becomes. */
const cases: readonly (readonly [what: string, files: Files, links: Readonly<Record<string, string>>])[] = [
  [
    "Hugo",
    {
      "hugo.toml": "",
      "content/posts/two.md": post("Two"),
      "content/about.md": "---\ntitle: About\n---\nMe",
    },
    {
      "[a](two.md)": "[a](/posts/two)",
      "[a](./two.md#part)": "[a](/posts/two#h-part)",
      "[a](../posts/two.md)": "[a](/posts/two)",
      "[a](/posts/two.md)": "[a](/posts/two)",
      "[a](../two/)": "[a](/posts/two)",
      "[a][t]\n\n[t]: two.md": "[a][t]\n\n[t]: /posts/two",
      '<a class="x" href="two.md">a</a>': '<a class="x" href="/posts/two">a</a>',
      '[a]({{< ref "two.md" >}})': "[a](/posts/two)",
      '[a]({{< relref "posts/two#part" >}})': "[a](/posts/two#h-part)",
      '[a]({{% ref path="two" lang="en" %}}) b': "[a](/posts/two) b",
      '<a href="{{< ref `/posts/two` >}}">a</a>': '<a href="/posts/two">a</a>',
      "[a]({{< ref about >}})": "[a](/about)",
      "[a](../about.md)": "[a](/about)",
    },
  ],
  [
    "Jekyll",
    { "_posts/2020-01-02-two.md": post("Two") },
    {
      "[a]({% post_url 2020-01-02-two %})": "[a](/posts/two)",
      "[a]({{ site.baseurl }}{% post_url 2020-01-02-two %}#part)": "[a](/posts/two#part)",
      "[a]({{ site.baseurl }}{% link _posts/2020-01-02-two.md %})": "[a](/posts/two)",
      "[a](two.html)": "[a](/posts/two)",
    },
  ],
  [
    "Hexo",
    { "source/_posts/two.md": post("Two") },
    {
      "{% post_link two %}": "[two](/posts/two)",
      "{% post_link two 'The second' true %}": "[The second](/posts/two)",
      "[a]({% post_path two %})": "[a](/posts/two)",
    },
  ],
  [
    "Obsidian",
    { ".obsidian/app.json": "{}", "Notes/Two.md": post("Two"), "Notes/The third.md": post("Three") },
    {
      "[[Two]]": "[Two](/posts/two)",
      "[[two|words]]": "[words](/posts/two)",
      "[[Two#A part]]": "[Two > A part](/posts/two#h-a-part)",
      "![[Two]]": "[Two](/posts/two)",
      "[[Notes/The third]]": "[Notes/The third](/posts/the-third)",
      "[[#Here]]": "[Here](#h-Here)",
      "[a](Notes/The%20third.md) [b](<Notes/The third.md>)": "[a](/posts/the-third) [b](/posts/the-third)",
    },
  ],
  [
    "Notion",
    { "Other Page 0123456789abcdef0123456789abcdef.md": post("Two") },
    {
      "[Two](Other%20Page%200123456789abcdef0123456789abcdef.md)": "[Two](/posts/other-page)",
    },
  ],
  [
    "Eleventy and Astro",
    { "src/content/blog/two.md": post("Two"), "src/content/blog/three/index.md": post("Three") },
    {
      "[a](./two.md)": "[a](/posts/two)",
      "[a](../two/)": "[a](/posts/two)",
      "[a](../three/)": "[a](/posts/three)",
      "[a](three/index.md)": "[a](/posts/three)",
    },
  ],
  [
    "Pelican",
    { "content/two.md": "Title: Two\nDate: 2020-01-02\n\nText" },
    { "[a]({filename}two.md)": "[a](/posts/two)", "[a](|filename|/two.md#part)": "[a](/posts/two#h-part)" },
  ],
];

/** Where the post *One* is in each of these sites. */
const PLACES: Readonly<Record<string, string>> = {
  Hugo: "content/posts/one.md",
  Jekyll: "_posts/2020-01-02-one.md",
  Hexo: "source/_posts/one.md",
  "Eleventy and Astro": "src/content/blog/one.md",
  Pelican: "content/one.md",
};

const BREAK = "\n\n* * *\n\n";

describe("A link to another post of the same site leads to it here", () => {
  for (const [what, files, links] of cases)
    test(what, async () => {
      const place = PLACES[what] ?? "One.md";
      const text = Object.keys(links).join(BREAK);
      const { content, notes } = await one({ ...files, [place]: post("One", text) });
      expect(content?.split(BREAK)).toEqual(Object.values(links));
      expect(notes).toEqual([]);
    });
});

test("Links to files that are no posts are listed, and stay as they are written", async () => {
  const text = [
    '[a](gone.md) [b](../files/a.pdf) [c]({{< ref "gone.md" >}}) [d](https://a.example/b.md) [e](/tags/x/) [f](#g)',
    "[h](mailto:a@b.example) ![i](gone.png) `[j](gone.md)` [[Nobody|k]] {% post_link gone %}",
    "```\n[l](two.md) {{< ref two.md >}} [[two]]\n```",
  ].join("\n\n");
  const { content, notes } = await one({ "hugo.toml": "", "content/posts/one.md": post("One", text) });
  expect(content).toBe(text);
  expect(notes).toEqual([
    "Links to files that are no posts here stay as they are: gone.md, ../files/a.pdf.",
    "The shortcode or tag “ref” stays visible as it is in 1 post.",
    "The shortcode or tag “[[…]]” stays visible as it is in 1 post.",
    "The shortcode or tag “post_link” stays visible as it is in 1 post.",
  ]);
});

test("Of two posts of one name, each link leads to its own", async () => {
  const { posts, report } = await importedFiles({
    "hugo.toml": "",
    "content/a/two.md": post("First", "[other](../b/two.md)"),
    "content/b/two.md": post("Second", "[other](../a/two.md)"),
    "content/b/feed.md": post("Feed"),
    "content/b/three.md": post("Three", "[feed](feed.md)"),
  });
  expect(posts.First?.content).toBe("[other](/posts/two-2)\n");
  expect(posts.Second).toMatchObject({ content: "[other](/posts/two)\n", publication: { slug: "two-2" } });
  expect(posts.Three?.content).toBe("[feed](/posts/feed-2)\n");
  expect(report.notes.filter(({ code }) => code === "slug_changed")).toHaveLength(2);
});
