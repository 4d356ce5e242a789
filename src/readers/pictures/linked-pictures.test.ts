import { expect, test } from "bun:test";
import { linkedPictures, withNewPaths } from "./linked-pictures.ts";

const HOST = "https://old.example";

test.each([
  [
    "an image of HTML, with an escaped ampersand",
    `<p><img alt="" src="${HOST}/a?b=1&amp;c=2"></p>`,
    [`${HOST}/a?b=1&c=2`],
  ],
  ["one without a scheme", '<img src="//old.example/a.png">', [`${HOST}/a.png`]],
  [
    "the file that it links to, which is larger",
    `<a href="${HOST}/a.jpg"><b><img src="${HOST}/a-300x200.jpg"></b></a>`,
    [`${HOST}/a.jpg`],
  ],
  ["no page that it links to", `<a href="${HOST}/a"><img src="${HOST}/a.jpg"></a>`, [`${HOST}/a.jpg`]],
  ["no link that has ended", `<a href="${HOST}/b.jpg">b</a><img src="${HOST}/a.jpg">`, [`${HOST}/a.jpg`]],
  [
    "one of Markdown, with parentheses",
    `Hi ![a [b](${HOST}/x) ![a](${HOST}/a_(1).jpg "A")`,
    [`${HOST}/a_(1).jpg`],
  ],
  ["one of Markdown that is a link", `[![a](${HOST}/s/a.jpg "A")](${HOST}/a.jpg)`, [`${HOST}/a.jpg`]],
  ["a reference to a file", `![a][b]\n\n[b]: ${HOST}/a.jpg\n[c]: ${HOST}/page`, [`${HOST}/a.jpg`]],
  ["none in code", `Hi\n\n\`\`\`\n![a](${HOST}/a.jpg)\n\`\`\`\n\n\`<img src="${HOST}/a.jpg">\``, []],
  [
    "none that is here, or no web address",
    '![a](/a.jpg) ![b](data:image/png;base64,AA) <img src="ftp://x/a.jpg">',
    [],
  ],
])("finds %s", async (_, content, found) => {
  expect(linkedPictures(content).map(({ best }) => best)).toEqual(found);
  const changed = await withNewPaths(content, () => "/media/new.jpg");
  for (const address of found) expect(changed).not.toContain(address.slice(HOST.length));
  expect(await withNewPaths(content, () => undefined)).toBe(content);
});

test("a picture has its new path wherever the text has it, and no other sizes", async () => {
  const content = `[![a](${HOST}/s/a.jpg)](${HOST}/a.jpg) <img src="${HOST}/s/a.jpg" srcset="${HOST}/b.jpg 2x"> ![a](${HOST}/b.jpg)`;
  expect(await withNewPaths(content, (best) => (best === `${HOST}/a.jpg` ? "/media/a.jpg" : undefined))).toBe(
    `[![a](/media/a.jpg)](/media/a.jpg) <img src="/media/a.jpg"> ![a](${HOST}/b.jpg)`,
  );
});
