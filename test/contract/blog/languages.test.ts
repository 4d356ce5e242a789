import { beforeAll, expect, test } from "bun:test";
import { parseDocument } from "htmlparser2";
import { LOOK_THEMES } from "../../../src/web/look/look.ts";
import { createComment, createPost, describeBlog, pathOf } from "../../support/records/blog.ts";

/** A word of each text that people wrote, and of nothing else. */
const WRITTEN = "Wort";
/** Of no language. */
const HOST = "elsewhere.example";

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: Readonly<Record<string, string>>;
  readonly children?: readonly Node[];
}

/** The texts of a page, each with the language in which browsers and screen readers take it. */
function textsOf(html: string): { readonly text: string; readonly lang: string | undefined }[] {
  const visit = (node: Node, inherited?: string): ReturnType<typeof textsOf> => {
    const text = node.data?.trim() ?? "";
    if (node.type === "text" && text !== "") return [{ text, lang: inherited }];
    if (node.name === "head" || node.attribs?.["aria-hidden"] === "true") return [];
    const lang = node.attribs?.lang ?? inherited;
    return (node.children ?? []).flatMap((child) => visit(child, lang));
  };
  // Found words are marked.
  return visit(parseDocument(html.replaceAll(/<\/?mark>/g, "")) as unknown as Node);
}

describeBlog("A site in another language than that of the program", (blog) => {
  const { editor, anyone } = blog;

  beforeAll(async () => {
    const site = {
      ...{ language: "de", name: `Ein ${WRITTEN}`, description: `Noch ein ${WRITTEN}` },
      author_line: `Wer dieses ${WRITTEN} schreibt`,
    };
    expect((await editor("/api/site/", { method: "PATCH", json: site })).status).toBe(200);
    const publish = async (title: string, publication: object) => {
      const post = await createPost(editor, { title, content: `${WRITTEN} für ${WRITTEN}. `.repeat(400) });
      const to = `${pathOf(post)}publication/`;
      expect((await editor(to, { method: "PATCH", json: publication })).status).toBe(200);
      return post;
    };
    const dated = (day: number) => ({ published_at: `2025-06-0${day}T12:00:00Z` });
    await publish(`Ein altes ${WRITTEN}`, { ...dated(1), summary: `Ein kurzes ${WRITTEN}` });
    const post = await publish(`Ein ${WRITTEN} dazwischen`, dated(2));
    await publish(`Ein ${WRITTEN} von anderswo`, {
      ...dated(3),
      ...{ kind: "link", link: `https://${HOST}/` },
    });
    await publish(`Ein neues ${WRITTEN}`, dated(4));
    await createComment(editor, post, { text: `Ein ${WRITTEN} dazu` });
  });

  const pages = ["/", "/links", "/archive", `/search?q=${WRITTEN}`, "/posts/ein-wort-dazwischen"];
  test.each(LOOK_THEMES.flatMap((theme) => (theme === "leaf" ? pages : ["/"]).map((path) => [theme, path])))(
    "says in %s at %s which words are whose",
    async (theme = "", path = "") => {
      await editor("/api/site/", { method: "PATCH", json: { look: { theme } } });
      const texts = textsOf(await (await anyone(path)).text());
      const isWritten = ({ text }: (typeof texts)[number]) => text.includes(WRITTEN) && !text.includes("“");
      const written = texts.filter(isWritten);
      expect(written.length).toBeGreaterThan(2);
      expect(written.filter(({ lang }) => lang !== "de")).toEqual([]);
      const ofProgram = texts.filter((one) => !isWritten(one) && one.text !== HOST);
      expect(ofProgram.filter(({ lang }) => lang !== "en")).toEqual([]);
    },
  );
});
