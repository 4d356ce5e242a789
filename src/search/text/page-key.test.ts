import { describe, expect, test } from "bun:test";
import { countingModules, expectLinear } from "../../../test/support/steps/count-steps.ts";
import { pageHash, pageHosts, pageKey } from "./page-key.ts";

const hrefOf = (url: string) => new URL(url).href;
const keyOf = (url: string) => pageKey(hrefOf(url));

/** Pairs of addresses of one page. */
const SAME: readonly (readonly [string, string])[] = [
  ["http://example.com/a", "https://example.com/a"],
  ["https://www.example.com/", "https://example.com"],
  ["https://EXAMPLE.com./a", "https://example.com/a"],
  ["https://example.com/a/", "https://example.com/a"],
  ["https://example.com/%7Eada/%41", "https://example.com/~ada/A"],
  ["https://example.com/%c3%a9", "https://example.com/%C3%A9"],
  ["https://example.com/?b=2&a=1", "https://example.com/?a=1&b=2"],
  ["https://example.com/?", "https://example.com/"],
  ["https://example.com/?q=deep+river", "https://example.com/?q=deep%20river"],
  ["https://münchen.de/", "https://xn--mnchen-3ya.de/"],
  ["https://example.com:443/a", "http://example.com:80/a"],
  // Fragments that are none.
  ["https://example.com/a#", "https://example.com/a"],
  ["https://example.com/a#top", "https://example.com/a"],
  ["https://example.com/a#:~:text=word", "https://example.com/a"],
  ["https://example.com/#/route:~:text=word", "https://example.com/#/route"],
  // Tracking parameters.
  ["https://example.com/?utm_source=x&utm_medium=y", "https://example.com/"],
  ["https://example.com/?UTM_SOURCE=x&FBCLID=y", "https://example.com/"],
  ["https://example.com/?utm%5Fsource=x", "https://example.com/"],
  ["https://example.com/?a=1&fbclid=z&gclid=q&_hsenc=1&srsltid=2", "https://example.com/?a=1"],
  ["https://example.com/a?gbraid=1&wbraid=2&gad_source=1&gad_campaignid=3", "https://example.com/a"],
  ["https://example.com/a?_ga=2.1&_gl=1*x", "https://example.com/a"],
  ["https://example.com/a?mtm_campaign=x&mtm_group=y&pk_campaign=z&pk_kwd=w", "https://example.com/a"],
  ["https://example.com/a?ref_src=twsrc%5Etfw", "https://example.com/a"],
  ["https://example.com/a?mc_cid=1&mc_eid=2&mkt_tok=3&vero_id=4&ttclid=5&msclkid=6", "https://example.com/a"],
  ["https://www.instagram.com/p/abc/?igsh=MzRl", "https://www.instagram.com/p/abc/"],
  ["https://open.spotify.com/track/1?si=x", "https://open.spotify.com/track/1"],
  ["https://x.com/ada/status/1?s=20&t=abc", "https://x.com/ada/status/1"],
  // Other addresses of sites.
  ["https://youtu.be/abc?si=xyz", "https://youtu.be/abc"],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?si=abc"],
  ["https://m.youtube.com/watch?v=dQw4w9WgXcQ&feature=share", "https://www.youtube.com/shorts/dQw4w9WgXcQ"],
  ["https://youtu.be/dQw4w9WgXcQ?t=42", "https://www.youtube.com/watch?t=42&v=dQw4w9WgXcQ"],
  ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
  ["https://en.m.wikipedia.org/wiki/Rye", "https://en.wikipedia.org/wiki/Rye"],
  ["https://m.wikidata.org/wiki/Q1", "https://www.wikidata.org/wiki/Q1"],
  ["https://mobile.twitter.com/ada/status/1", "https://x.com/ada/status/1"],
  ["https://old.reddit.com/r/a/comments/1/", "https://www.reddit.com/r/a/comments/1/"],
  ["https://www.google.com/amp/s/example.com/a?b=1", "https://example.com/a?b=1"],
  ["https://example-com.cdn.ampproject.org/c/s/example.com/a", "https://example.com/a"],
  ["https://example.com/2024/05/06/old-maps/amp/", "https://example.com/2024/05/06/old-maps/"],
  ["https://example.com/blog/2024/05/old-maps?amp=1", "https://example.com/blog/2024/05/old-maps"],
  ["https://www.google.de/amp/s/example.com/2024/05/old-maps/amp", "https://example.com/2024/05/old-maps"],
];

/** Pairs of addresses of two pages, many of which only look like the ones above. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ["https://example.com/a", "https://example.com/A"],
  ["https://example.com/a", "https://example.com/a//"],
  ["https://example.com/a/b", "https://example.com/a//b"],
  ["https://example.com/", "https://example.com:8443/"],
  ["https://example.com/", "https://ada@example.com/"],
  ["https://example.com/?a=1", "https://example.com/?a=2"],
  ["https://example.com/?a=1&a=2", "https://example.com/?a=2&a=1"],
  ["https://example.com/%2F", "https://example.com//"],
  ["https://example.com/a+b", "https://example.com/a%20b"],
  ["https://example.com/?q=c%2B%2B", "https://example.com/?q=c++"],
  // Fragments: keys, comments, pages of applications, sections.
  ["https://mega.nz/file/AbCd#key-one", "https://mega.nz/file/AbCd#key-two"],
  ["https://gist.github.com/o/1f3b#gistcomment-1", "https://gist.github.com/o/1f3b#gistcomment-2"],
  ["https://app.example.org/#inbox/123", "https://app.example.org/#inbox/456"],
  ["https://example.com/#/one", "https://example.com/#/two"],
  ["https://example.com/#!one", "https://example.com/"],
  ["https://example.com/a#part", "https://example.com/a"],
  ["https://example.com/a#/top", "https://example.com/a"],
  ["https://example.com/a#top/1", "https://example.com/a"],
  // Parameters that select contents.
  ["https://example.com/?ref=main", "https://example.com/?ref=dev"],
  ["https://example.com/?ref=main", "https://example.com/"],
  ["https://example.com/?si=1", "https://example.com/"],
  ["https://example.com/?s=20&t=1", "https://example.com/"],
  ["https://example.com/?feature=1", "https://example.com/"],
  ["https://example.com/?pk_id=1", "https://example.com/?pk_id=2"],
  ["https://example.com/?source=1", "https://example.com/"],
  ["https://example.com/?campaign=1", "https://example.com/"],
  ["https://example.com/?utm=32", "https://example.com/?utm=33"],
  ["https://notyoutube.com/?si=1", "https://notyoutube.com/"],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcq"],
  ["https://www.youtube.com/embed/videoseries?list=1", "https://www.youtube.com/embed/videoseries?list=2"],
  ["https://www.youtube.com/embed/videoseries", "https://www.youtube.com/watch?v=videoseries"],
  ["https://youtu.be/dQw4w9WgXcQ?list=1", "https://youtu.be/dQw4w9WgXcQ"],
  ["https://youtu.be.example.com/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ"],
  // Hosts and paths of other sites.
  ["https://example.com/", "https://m.example.com/"],
  ["https://example.com/", "https://amp.example.com/"],
  ["https://old.example.com/", "https://example.com/"],
  ["https://en.wikipedia.org/wiki/Rye", "https://de.m.wikipedia.org/wiki/Rye"],
  ["https://en.m.wikipedia.org.example.com/", "https://en.wikipedia.org.example.com/"],
  ["https://example.com/guitars/amp/", "https://example.com/guitars/"],
  ["https://en.wiktionary.org/wiki/amp", "https://en.wiktionary.org/wiki/"],
  ["https://example.com/2024/05/06/amp/", "https://example.com/2024/05/06/"],
  ["https://example.com/2024/05/amp", "https://example.com/2024/05"],
  ["https://example.com/1234/56/old-maps/amp", "https://example.com/1234/56/old-maps"],
  ["https://example.com/shop?amp=1", "https://example.com/shop"],
  ["https://www.google.com/amp/s", "https://example.com/s"],
  ["https://www.google.com/c/s/example.com/a", "https://example.com/a"],
  ["https://example.com/amp/s/example.org/a", "https://example.org/a"],
];

describe("The key of a page", () => {
  test.each(SAME)("is the same for %s and %s", (one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
    expect(pageHash(hrefOf(one))).toBe(pageHash(hrefOf(other)));
  });

  test.each(DIFFERENT)("differs for %s and %s", (one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test("is of any text, and hashes are of one length", () => {
    for (const text of [
      "",
      "no URL",
      "http://[::1]/x",
      "http://constructor/",
      `https://example.com/${"a".repeat(480)}`,
    ])
      expect(pageHash(text)).toMatch(/^[\w-]{11}$/);
  });

  test("is looked for among the URLs that contain a host of the page", () => {
    for (const [one, other] of SAME.map(([one, other]) => [hrefOf(one), hrefOf(other)] as const)) {
      const contains = (url: string, hosts: readonly string[] | undefined) =>
        hosts?.some((host) => url.includes(host)) ?? false;
      expect([contains(one, pageHosts(other)), contains(other, pageHosts(one))]).toEqual([true, true]);
    }
    expect(pageHosts("no URL")).toBeUndefined();
  });

  test.each(["/", "%", "%41", "&", "&a=1", "#", "?", "utm_a=&", "/2024/05/", "-", "/amp"])(
    "takes time in proportion to a URL of nothing but %j",
    async (piece) => {
      const counting = await countingModules<typeof import("./page-key.ts")>(
        import.meta.resolve("./page-key.ts"),
      );
      for (const before of ["?", ""])
        await expectLinear((length) =>
          counting.pageKey(`https://example.com/${before}${piece.repeat(length)}`),
        );
    },
  );
});
