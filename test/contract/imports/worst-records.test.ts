import { describe, expect, test } from "bun:test";
import { importSite, previewSite } from "../../../src/transfer/import/import-records.ts";
import { stageSite } from "../../../src/transfer/stage-site.ts";
import { countStatements } from "../../support/databases/count-statements.ts";
import { archiveOf } from "../../support/files/archive-file.ts";
import type { ArchivedSite } from "../../support/files/archived-site.ts";
import { inMemory } from "../../support/files/zip.ts";
import { describeApp } from "../../support/server/contract.ts";

const WHEN = "2026-11-21T06:40:12.345Z";
const times = { created_at: WHEN, updated_at: WHEN };
const publication = (slug: string) => ({ slug, tags: [], kind: "post" as const });
const post = (id: number, more: object = {}) => ({
  ...{ id, title: "Untitled", content: "", published: true, published_at: WHEN, created_by: null },
  ...{ ...times, publication: null, ...more },
});
const comment = (id: number, more: object = {}) => ({
  ...{ id, post: 1, author: "Ada", text: "Hi", status: "shown", created_at: WHEN, ...more },
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const day = (number: number) => new Date(Date.UTC(1980, 0, number)).toISOString();

/** Of each kind of record, files that make the work of one record depend on the others. */
const WORST: Readonly<Record<string, (count: number) => object>> = {
  "posts of one slug": (count) => ({
    post: numbers(count).map((id) => post(id, { title: `Post ${id}`, publication: publication("one") })),
  }),
  "posts of one title and many dates": (count) => ({
    post: numbers(count).map((id) => post(id, { created_at: day(id), publication: publication("untitled") })),
  }),
  "posts of one date": (count) => ({ post: numbers(count).map((id) => post(id, { title: `Post ${id}` })) }),
  "posts with one path": (count) => ({
    post: numbers(count).map((id) => post(id, { title: `Post ${id}`, redirects: ["/old/"] })),
  }),
  "versions of one post": (count) => ({
    post: [post(1)],
    version: numbers(count).map((number) => ({
      ...{ post: 1, number, title: "", content: "", published: false, replaced_at: WHEN, replaced_by: null },
    })),
  }),
  "comments on one post": (count) => ({
    post: [post(1)],
    comment: numbers(count).map((id) => comment(id)),
  }),
  "comments in one chain of replies": (count) => ({
    post: [post(1)],
    comment: numbers(count).map((id) => comment(id, { parent: id === 1 ? null : id - 1 })),
  }),
  "bookmarks of one page": (count) => ({
    bookmark: numbers(count).map((id) => ({
      ...{ id, title: `Title ${id}`, url: "https://example.com/", description: "#a", ...times },
    })),
  }),
  "bookmarks with many tags": (count) => ({
    bookmark: [
      {
        ...{ id: 1, title: "Tags", url: "https://example.com/", ...times },
        description: numbers(count)
          .map((id) => `#t${id}`)
          .join(" "),
      },
    ],
  }),
  "marks of one bookmark": (count) => ({
    bookmark: [{ id: 1, title: "Marks", url: "https://example.com/", description: "", ...times }],
    mark: numbers(count).map((id) => ({ id, bookmark: 1, quote: `Words ${id % 7}`, ...times })),
  }),
  "tags below each other": (count) => ({
    tag: numbers(count).map((id) => ({
      ...{ id, name: numbers(Math.min(id, 60)).join("/a"), created_at: WHEN },
    })),
  }),
  "working copies of one new post": (count) => ({
    edit: numbers(count).map((id) => ({
      ...{ key: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`, post: null, title: "Same" },
      ...{ content: "", ...times },
    })),
  }),
  "settings of one name": (count) => ({
    setting: numbers(count).map((id) => ({ name: "description", value: `Words ${id}`, updated_at: WHEN })),
  }),
};

/** Twice the records may take this many times the steps: a few of them are for the file itself. */
const TWICE = 2.2;

describeApp("Of a file of the worst records of a kind, twice as many take twice the steps", (service) => {
  describe.each(Object.entries(WORST))("%s", (_, recordsOf) => {
    const stepsOf = async (count: number) => {
      const { database } = await service.startApp();
      const archive = await archiveOf(recordsOf(count) as Partial<ArchivedSite>);
      const staged = async () => {
        const site = await stageSite(inMemory(archive), { fileName: "site.zip", now: new Date(WHEN) });
        if (site === undefined) throw new Error("not an archive");
        return site;
      };
      const look = async () => {
        using site = await staged();
        await previewSite(database, site);
      };
      const first = await countStatements(look);
      using site = await staged();
      const stored = await countStatements(() => importSite(database, site));
      const second = await countStatements(look);
      return { first, stored, second };
    };

    test("to look at, to store, and to look at again", async () => {
      const once = await stepsOf(200);
      const twice = await stepsOf(400);
      for (const step of ["first", "stored", "second"] as const)
        expect(
          `${step}: ${twice[step] <= TWICE * once[step] ? "linear" : `${once[step]}, ${twice[step]}`}`,
        ).toBe(`${step}: linear`);
    });
  });
});
