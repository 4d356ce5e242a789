import { describe, expect, test } from "bun:test";
import {
  CHROME,
  FIREFOX,
  INSTAPAPER,
  KARAKEEP,
  LINKDING,
  OLD_POCKET,
  PINBOARD,
  POCKET,
  RAINDROP,
} from "../../../test/support/files/bookmark-files.ts";
import { whole } from "../../../test/support/files/staged-import.ts";

describe("Pinboard's JSON", () => {
  test("is read with titles, descriptions, tags, states and dates", async () => {
    const { format, bookmarks, refused, notes } = await whole(PINBOARD);
    expect(format).toBe("pinboard");
    expect(bookmarks).toEqual([
      {
        ...{ url: "https://example.com/tarn", title: "Tarn Hows, Keswick – a walk" },
        ...{ description: "Bring boots.\nAnd a map.\n#walks #C# #2019", created: "2019-04-05T12:21:12.000Z" },
        states: ["unread"],
      },
      {
        ...{ url: "https://example.com/grammar", title: "First and follow sets", description: "" },
        ...{ created: "2014-02-09T01:03:03.000Z", states: ["shared"] },
      },
    ]);
    expect(refused).toEqual([[3, "url_scheme", "ftp://example.com/old", "An old file"]]);
    expect(notes).toEqual([[1, "private"]]);
  });

  test("is also read in the form of API responses", async () => {
    const api = `{"date":"2017-05-31T01:10:23Z","user":"ada","posts":${PINBOARD}}`;
    expect((await whole(api)).bookmarks).toEqual((await whole(PINBOARD)).bookmarks);
  });
});

describe("Raindrop's CSV", () => {
  test("is read with notes, collections and tags", async () => {
    const { format, bookmarks, notes, rows } = await whole(RAINDROP);
    expect(format).toBe("raindrop");
    expect(bookmarks.map(({ title, description, created }) => [title, description, created])).toEqual([
      [
        'Why "frameworks" fail',
        "A note\nof two lines, with a comma\n\nWhat the page says\n#python #web-dev #Reading/Essays/C++",
        "2005-07-19T02:57:49.000Z",
      ],
      ["Unsorted one", "", "2024-01-02T00:00:00.000Z"],
      ["Båt", "#Båt/kanot", "2026-11-21T06:40:12.345Z"],
    ]);
    expect(rows.map(({ line, folders }) => [line, folders])).toEqual([
      [2, ["Reading", "Essays", "C++"]],
      [4, []],
      [5, ["Båt", "kanot"]],
    ]);
    expect(notes).toEqual([
      [2, "important"],
      [5, "date_missing"],
    ]);
  });
});

describe("Pocket's CSV", () => {
  test("is read with tags and unread states", async () => {
    const { format, bookmarks } = await whole(POCKET);
    expect(format).toBe("pocket");
    expect(bookmarks).toEqual([
      {
        ...{ url: "https://example.com/pocket", title: "Space, time", description: "#science #deep-space" },
        ...{ created: "2024-01-01T00:00:00.000Z", states: ["unread"] },
      },
      {
        ...{ url: "https://example.com/untitled", title: "https://example.com/untitled", description: "" },
        ...{ created: "2017-07-14T02:40:00.000Z", states: ["archived"] },
      },
    ]);
  });

  test("is read with the older header, whatever the order of its columns", async () => {
    const [bookmark] = (await whole(OLD_POCKET)).bookmarks;
    expect(bookmark).toMatchObject({ title: "Old one", description: "#history", states: ["archived"] });
  });
});

describe("Pocket's HTML", () => {
  const file = (links: string) =>
    `<!DOCTYPE html>\n<html><head><title>Pocket Export</title></head><body>\n<h1>Unread</h1>\n<ul>\n${links}\n</ul>\n\n<h1>Read Archive</h1>\n<ul>\n<li><a href="https://example.com/2" time_added="1500000000" tags="">Two</a></li>\n</ul></body></html>`;

  test("is read with its lists, tags and dates", async () => {
    const { format, bookmarks, rows } = await whole(
      file(
        '<li><a href="https://example.com/1?a=1&amp;b=2" time_added="1704067200" tags="deep space,R&amp;D">A &amp; <b>B</b></a></li>',
      ),
    );
    expect(format).toBe("pocket");
    expect(bookmarks).toEqual([
      {
        ...{ url: "https://example.com/1?a=1&b=2", title: "A & B", description: "#deep-space #R&D" },
        ...{ created: "2024-01-01T00:00:00.000Z", states: ["unread"] },
      },
      {
        ...{ url: "https://example.com/2", title: "Two", description: "" },
        ...{ created: "2017-07-14T02:40:00.000Z", states: ["archived"] },
      },
    ]);
    expect(rows.map(({ line }) => line)).toEqual([5, 10]);
  });

  test("is read as far as possible when it is damaged, and elsewhere a link is no bookmark", async () => {
    const open = await whole(file('<li><a href="https://example.com/1" time_added="x" tags=",">One<li>'));
    expect(open.bookmarks.map(({ title }) => title)).toEqual(["One", "Two"]);
    const cut = await whole(
      file('<li><a href="https://example.com/1" time_added="1704067200">One</a>').slice(0, 220),
    );
    expect([cut.bookmarks.length, cut.refused.map(([, code]) => code)]).toEqual([1, ["cut_off"]]);
    await expect(whole(file("").replace("Pocket Export", "Links"))).rejects.toThrow(
      /^is not a bookmark export/,
    );
  });
});

describe("Linkwarden's JSON", () => {
  const link = (members: object) => ({
    ...{ id: 1, name: "One", type: "url", description: "Said of it.", url: "https://example.com/1" },
    ...{
      createdAt: "2024-01-01T00:00:00.000Z",
      importDate: null,
      textContent: null,
      tags: [{ id: 1, name: "deep space" }],
    },
    ...members,
  });
  const collection = (id: number, name: string, parentId: number | null, links: object[]) => ({
    ...{
      id,
      name,
      description: "",
      color: "#0ea5e9",
      parentId,
      isPublic: false,
      rssSubscriptions: [],
      links,
    },
  });
  const backup = {
    ...{ name: "Ada", username: "ada", email: null, pinnedLinks: [{ url: "https://example.com/1", id: 1 }] },
    collections: [
      collection(3, "Essays", 2, [link({ textContent: "The page." })]),
      collection(2, "Reading", null, []),
      collection(1, "Unorganized", null, [
        link({ url: "https://example.com/2", name: "", tags: [], importDate: "2017-07-14T02:40:00.000Z" }),
        link({ url: null, name: "An uploaded PDF", type: "pdf" }),
      ]),
      collection(5, "Loop", 5, [link({ url: "https://example.com/3", tags: [] })]),
    ],
  };

  test("is read with collections as folders, whatever their order; what is no link is refused", async () => {
    const { format, bookmarks, refused, rows, notes } = await whole(JSON.stringify(backup));
    expect(format).toBe("linkwarden");
    const loop = Array.from({ length: 20 }, () => "Loop").join("/");
    expect(bookmarks.map(({ title, description, created }) => [title, description, created])).toEqual([
      ["One", "Said of it.\n#deep-space #Reading/Essays", "2024-01-01T00:00:00.000Z"],
      ["", "Said of it.", "2017-07-14T02:40:00.000Z"],
      ["One", `Said of it.\n#${loop}`, "2024-01-01T00:00:00.000Z"],
    ]);
    expect(rows[0]?.folders).toEqual(["Reading", "Essays"]);
    expect(refused).toEqual([[3, "missing", "", "An uploaded PDF"]]);
    expect(notes).toEqual([]);
  });

  test.each(["Unorganized", "unorganized", " UNORGANIZED "])(
    "of its API has links in no folder: %p",
    async (name) => {
      const { rows } = await whole(
        JSON.stringify({ response: [link({ collectionId: 1, collection: { name } })] }),
      );
      expect(rows.map(({ folders }) => folders)).toEqual([[]]);
    },
  );
});

describe("Omnivore's JSON", () => {
  test("is read with labels and states, also in the zip of its export", async () => {
    const page = (members: object) => ({
      ...{ id: "20db074a", slug: "one", title: "One", description: "What it says.", author: "Ada" },
      ...{ url: "https://example.com/1", state: "Archived", readingProgress: 0, thumbnail: "" },
      ...{
        labels: ["RSS", "deep space"],
        savedAt: "2024-10-29T16:30:11.000Z",
        updatedAt: "",
        publishedAt: null,
      },
      ...members,
    });
    const json = JSON.stringify([
      page({}),
      page({ url: "https://example.com/2", state: "Active", labels: [] }),
    ]);
    const { format, bookmarks } = await whole(json);
    expect(format).toBe("omnivore");
    expect(bookmarks.map(({ description, created, states }) => [description, created, states])).toEqual([
      ["What it says.\n#RSS #deep-space", "2024-10-29T16:30:11.000Z", ["archived"]],
      ["What it says.", "2024-10-29T16:30:11.000Z", ["unread"]],
    ]);
  });
});

describe("wallabag's JSON", () => {
  const entry = (members: object) => ({
    ...{ is_archived: 1, is_starred: 0, user_name: "ada", tags: ["deep space"], is_public: false, id: 1 },
    ...{ title: "One", url: "https://example.com/1", content: "<p>The page.</p>" },
    created_at: "2016-09-08T11:55:58+0200",
    ...members,
  });

  test("is read with tags and states", async () => {
    const { format, bookmarks, notes } = await whole(
      JSON.stringify([
        entry({}),
        entry({
          url: "https://example.com/2",
          is_archived: false,
          is_starred: true,
          content: "",
          tags: [],
        }),
      ]),
    );
    expect(format).toBe("wallabag");
    expect(bookmarks.map(({ description, created, states }) => [description, created, states])).toEqual([
      ["#deep-space", "2016-09-08T09:55:58.000Z", ["archived"]],
      ["", "2016-09-08T09:55:58.000Z", ["unread"]],
    ]);
    expect(notes).toEqual([[2, "important"]]);
  });

  test("of its first version is read, too", async () => {
    const old = {
      "0": "1",
      id: "1",
      title: "One",
      url: "https://example.com/1",
      is_read: "1",
      is_fav: "0",
      content: "",
    };
    const { format, bookmarks } = await whole(
      JSON.stringify([{ ...old, user_id: "1", tags: "Framabag, free web" }]),
    );
    expect(format).toBe("wallabag");
    expect(bookmarks).toMatchObject([
      { title: "One", description: "#Framabag #free-web", states: ["archived"] },
    ]);
  });
});

describe("Delicious' JSON", () => {
  test("is read with tags, dates and private bookmarks", async () => {
    const { format, bookmarks, notes } = await whole(
      JSON.stringify([
        {
          ...{ title: "One", tags: ["MAC_address", "deep space"], url: "https://example.com/1" },
          ...{ description: "Said of it.", created: "1358531607", others: 9, owner: "ada", private: "1" },
        },
        {
          ...{ title: "Two", tags: [""], url: "https://example.com/2", description: "" },
          ...{ created: "1358457437", others: 84, owner: "ada", private: "0" },
        },
      ]),
    );
    expect(format).toBe("delicious");
    expect(bookmarks.map(({ description, created }) => [description, created])).toEqual([
      ["Said of it.\n#MAC_address #deep-space", "2013-01-18T17:53:27.000Z"],
      ["", "2013-01-17T21:17:17.000Z"],
    ]);
    expect(notes).toEqual([[1, "private"]]);
  });
});

describe("Readability's JSON", () => {
  test("is read with excerpts, dates and states", async () => {
    const article = {
      ...{ article__url: "https://example.com/1", article__title: "One", article__excerpt: "What it says." },
      ...{ date_added: "2016-08-01T05:24:16", date_archived: null, favorite: false, archive: true },
    };
    const { format, bookmarks } = await whole(JSON.stringify({ bookmarks: [article], recommendations: [] }));
    expect(format).toBe("readability");
    expect(bookmarks).toMatchObject([
      {
        title: "One",
        description: "What it says.",
        created: "2016-08-01T05:24:16.000Z",
        states: ["archived"],
      },
    ]);
  });
});

describe("Instapaper's CSV", () => {
  test("is read with folders and tags", async () => {
    const { format, bookmarks, notes } = await whole(INSTAPAPER);
    expect(format).toBe("instapaper");
    expect(bookmarks.map(({ title, description, states }) => [title, description, states])).toEqual([
      ["A", "#reading #self-hosted", ["unread"]],
      ["B", "", ["archived"]],
      ["C", "", []],
      ["D", "#Long-Reads", []],
    ]);
    expect(notes).toEqual([[4, "important"]]);
  });

  test("is read in its older form", async () => {
    const { bookmarks } = await whole(
      "URL,Title,Selection,Folder,Timestamp\nhttps://example.com/a,A,,Unread,1748490183\n",
    );
    expect(bookmarks).toMatchObject([{ states: ["unread"], created: "2025-05-29T03:43:03.000Z" }]);
  });
});

describe("The CSV of other services", () => {
  test("Readwise Reader's is read with its lists of tags and its places", async () => {
    const { format, bookmarks } = await whole(
      `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
A,https://example.com/a,01h,"['old maps', ""rye's""]",2022-11-06 04:33:50+00:00,0,new,True
B,https://example.com/b,02h,[],2022-11-06 04:33:50+00:00,1,archive,True
C,https://example.com/c,03h,,2022-11-06 04:33:50+00:00,0,feed,False
`,
    );
    expect(format).toBe("readwise");
    expect(bookmarks).toMatchObject([
      { description: "#old-maps #rye's", created: "2022-11-06T04:33:50.000Z", states: ["unread"] },
      { description: "", states: ["archived"] },
      { description: "#Feed", states: [] },
    ]);
  });

  test("Matter's is read with tags, queue and favorites", async () => {
    const { format, bookmarks, notes } = await whole(
      `Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last Interaction Date,File Id
A,Ada,The Paper,https://example.com/a,maps;rye,100,True,True,False,0,2023-01-02 03:04:05.000000+00:00,
B,,,https://example.com/b,,100,False,False,True,0,2023-01-02 03:04:05.000000+00:00,
`,
    );
    expect(format).toBe("matter");
    expect(bookmarks).toMatchObject([
      { title: "A", description: "#maps #rye", created: "2023-01-02T03:04:05.000Z", states: ["unread"] },
      { title: "B", states: ["archived"] },
    ]);
    // The author and the publisher.
    expect(notes).toEqual([
      [1, "unknown_members"],
      [2, "important"],
    ]);
  });

  test("mymind's is read with notes and texts; a card without an address is refused", async () => {
    const { format, bookmarks, refused } = await whole(
      `id,type,title,url,content,note,tags,created
1pY,WebPage,A,https://example.com/a,"First
line",Mine,"Old maps,rye",2024-12-04T23:02:10Z
2pY,Note,,,A thought,,,2024-12-04T23:05:23Z
`,
    );
    expect(format).toBe("mymind");
    expect(bookmarks).toMatchObject([
      { description: "Mine\n\nFirst\nline\n#Old-maps #rye", created: "2024-12-04T23:02:10.000Z" },
    ]);
    expect(refused).toEqual([[4, "missing", "", ""]]);
  });
});

describe("linkding's JSON", () => {
  test("is read as its API answers, page after page", async () => {
    const { format, bookmarks, notes } = await whole(LINKDING);
    expect(format).toBe("linkding");
    expect(bookmarks).toEqual([
      {
        ...{ url: "https://example.com/one", title: "The page's own title" },
        ...{ description: "Said of it.\n\n**Notes**\n#dev #R&D", created: "2020-09-26T09:46:23.006Z" },
        states: ["unread", "archived"],
      },
      {
        ...{ url: "https://example.com/two", title: "Two", description: "" },
        ...{ created: "2026-11-21T06:40:12.345Z", states: ["shared"] },
      },
    ]);
    expect(notes).toEqual([[2, "date_missing"]]);
    expect((await whole(`${LINKDING}\n${LINKDING}`)).bookmarks).toHaveLength(4);
  });
});

describe("Karakeep's JSON", () => {
  test("is read with lists as tags; items that are not links are refused with their text", async () => {
    const { format, bookmarks, refused, rows } = await whole(KARAKEEP);
    expect(format).toBe("karakeep");
    const loop = Array.from({ length: 20 }, () => "Loop").join("/");
    expect(bookmarks).toEqual([
      {
        ...{ url: "https://example.com/one", title: "One", created: "2024-01-01T00:00:00.000Z" },
        ...{ description: `A note.\n#dev #self-hosted #${loop} #Reading/Essays`, states: ["archived"] },
      },
    ]);
    expect(rows[0]?.folders).toEqual(["Reading", "Essays"]);
    expect(refused).toEqual([
      [2, "missing", "", "Only a thought."],
      [3, "missing", "", "An image"],
    ]);
  });
});

describe("Firefox's JSON", () => {
  test("is read with folders, and tags of old and new", async () => {
    const { format, bookmarks, refused, rows, toolbar, notes } = await whole(FIREFOX);
    expect(format).toBe("firefox");
    expect(bookmarks.map(({ title, description, created }) => [title, description, created])).toEqual([
      ["In the menu", "#elves #R&D", "2016-05-19T19:41:58.000Z"],
      ["In a folder", "What it says\n#old-tag #Dev-JS", "2016-05-19T19:41:58.000Z"],
    ]);
    expect(rows.map(({ folders }) => folders)).toEqual([[], [], ["Bookmarks Toolbar", "Dev / JS"]]);
    expect(refused).toEqual([[2, "url_scheme", "place:type=6&sort=14", "Recent tags"]]);
    expect(toolbar).toEqual(["Bookmarks Toolbar"]);
    expect(notes).toContainEqual([1, "keyword"]);
  });

  test("is refused with instructions if it is compressed", async () => {
    const compressed = Buffer.from("mozLz40\0\x05\0\0\0abc", "latin1");
    await expect(whole(compressed)).rejects.toThrow(
      /^is a compressed backup of Firefox .*save it as \.json$/,
    );
  });
});

describe("Chrome's file Bookmarks", () => {
  test("is read with folders and dates since 1601", async () => {
    const { format, bookmarks, rows, toolbar, notes } = await whole(CHROME);
    expect(format).toBe("chrome");
    expect(bookmarks.map(({ title, description, created }) => [title, description, created])).toEqual([
      ["Bar", "", "2016-06-27T09:04:17.000Z"],
      ["Deep", "Vivaldi's\n#Dev", "2016-06-27T09:04:17.123Z"],
      ["Other", "", "2026-11-21T06:40:12.345Z"],
    ]);
    expect(rows.map(({ folders }) => folders)).toEqual([
      ["Lesezeichenleiste"],
      ["Lesezeichenleiste", "Dev"],
      [],
    ]);
    expect(toolbar).toEqual(["Lesezeichenleiste"]);
    expect(notes).toEqual([
      [1, "trash"],
      [2, "keyword"],
      [3, "date_missing"],
    ]);
  });
});

describe("elCurator's JSON", () => {
  test("is read with tags and dates, and is not taken for our own", async () => {
    const link = (members: object) => ({
      ...{ created_at: "2015-09-09 11:10:32 UTC", title: "A page", url: "https://example.com/" },
      ...{ description: null, tags: ["dev tools", "C#"], is_saved: true, ...members },
    });
    const { format, bookmarks, notes } = await whole(
      JSON.stringify([
        link({}),
        link({ url: "https://example.com/2", description: "Two.", tags: [], is_saved: false }),
      ]),
    );
    expect(format).toBe("elcurator");
    expect(bookmarks.map(({ description, created }) => [description, created])).toEqual([
      ["#dev-tools #C#", "2015-09-09T11:10:32.000Z"],
      ["Two.", "2015-09-09T11:10:32.000Z"],
    ]);
    expect(notes).toEqual([[1, "important"]]);
  });
});

describe("Our own JSON", () => {
  const bookmark = `{"id":1,"url":"https://example.com/","title":" t ","description":" a #b ","created_at":"1980-01-01T00:00:00.001Z"}`;

  test("is read exactly, with a note about its posts", async () => {
    const { bookmarks, notes } = await whole(
      `{"program":"commonplace","posts":[{"id":1,"comments":[]},{"id":2}],"bookmarks":[${bookmark}]}`,
    );
    expect(bookmarks).toMatchObject([
      { title: " t ", description: " a #b ", created: "1980-01-01T00:00:00.001Z" },
    ]);
    expect(notes).toEqual([[1, "posts"]]);
  });

  test("keeps the byte order marks in its texts, escaped or not", async () => {
    const title = "\\ufeffa\\uFEFF \\\\ufeff é\ufeffb\ufeff\\ud83d\\ude00";
    const { bookmarks } = await whole(
      `{"program":"commonplace","bookmarks":[${bookmark.replace('" t "', `"${title}"`)}]}`,
    );
    expect(bookmarks[0]?.title).toBe("\ufeffa\ufeff \\ufeff é\ufeffb\ufeff😀");
  });

  test("gets the tags that its description does not have, and a note about members that are not ours", async () => {
    const more = bookmark.replace(
      "}",
      `,"tags":["B","C#"],"rating":5,"updated_at":"1980-01-01T00:00:00.001Z"}`,
    );
    const { bookmarks, notes } = await whole(`[${more},${more.replace(".com", ".org")}]`);
    expect(bookmarks.map(({ description }) => description)).toEqual([" a #b \n#C#", " a #b \n#C#"]);
    expect(notes).toEqual([[1, "unknown_members"]]);
    const same = bookmark.replace("}", `,"tags":["b"]}`);
    expect(await whole(`[${same}]`)).toMatchObject({ bookmarks: [{ description: " a #b " }], notes: [] });
  });

  test("needs its name, or the ids of API responses", async () => {
    const foreign = `[${bookmark.replace('"id":1,', "")}]`;
    await expect(whole(foreign)).rejects.toThrow();
    expect((await whole(`{"program":"commonplace","bookmarks":${foreign}}`)).format).toBe("commonplace-json");
  });

  test("is also read in the form of API responses, and when it is empty", async () => {
    expect((await whole(`[${bookmark}]`)).bookmarks).toHaveLength(1);
    expect(await whole(`{"program":"commonplace","bookmarks":[],"posts":[]}`)).toMatchObject({
      ...{ format: "commonplace-json", bookmarks: [], refused: [], notes: [] },
    });
  });
});

describe("A file", () => {
  test.each([
    ["UTF-8 with a byte order mark", (text: string) => Buffer.from(`\ufeff${text}`)],
    [
      "little-endian UTF-16 with a byte order mark",
      (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
    ],
    [
      "big-endian UTF-16 with a byte order mark",
      (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    ],
    ["UTF-16 without a byte order mark", (text: string) => Buffer.from(text, "utf16le")],
  ])("may be %s", async (_, encode) => {
    for (const text of [PINBOARD, RAINDROP, CHROME])
      expect((await whole(encode(text))).bookmarks).toEqual((await whole(text)).bookmarks);
  });

  test("of CSV may have semicolons or tabs, any line breaks, and the `sep=` line of spreadsheets", async () => {
    const expected = (await whole(INSTAPAPER)).bookmarks;
    const semicolons = INSTAPAPER.replaceAll(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, ";");
    for (const text of [
      INSTAPAPER.replaceAll("\n", "\r\n"),
      INSTAPAPER.replaceAll("\n", "\r"),
      semicolons,
      semicolons.replaceAll(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/g, "\t"),
      `sep=;\r\n${semicolons}`,
      `\n${INSTAPAPER}\n\n`,
    ])
      expect((await whole(text)).bookmarks).toEqual(expected);
  });

  test("of CSV with one line in windows-1252 keeps the letters of all lines", async () => {
    const bytes = Buffer.concat([
      Buffer.from(POCKET),
      Buffer.from("Café ü,https://example.com/x,1704067200,,\n", "latin1"),
      Buffer.from("日本,https://example.com/y,1704067200,,\n"),
    ]);
    const { bookmarks, notes } = await whole(bytes);
    expect(bookmarks.slice(2).map(({ title }) => title)).toEqual(["Café ü", "日本"]);
    expect(notes).toEqual([[4, "other_encoding"]]);
  });

  test("of JSON with bytes that are not UTF-8 keeps all other letters", async () => {
    const damaged = Buffer.concat([
      Buffer.from(`[{"href":"https://example.com/","description":"日本 `),
      Buffer.from([0xe9]),
      Buffer.from(`!","time":"2014-02-09T01:03:03Z"}]`),
    ]);
    const { bookmarks, notes } = await whole(damaged);
    expect(bookmarks.map(({ title }) => title)).toEqual(["日本 \ufffd!"]);
    expect(notes).toEqual([[1, "bad_bytes"]]);
    const latin = Buffer.from(
      `[{"href":"https://example.com/","description":"Café","time":"2014-02-09T01:03:03Z"}]`,
      "latin1",
    );
    expect((await whole(latin)).bookmarks.map(({ title }) => title)).toEqual(["Café"]);
  });

  test.each([
    ["JSON of something else", `{"db":[{"meta":{},"data":{"posts":[{"title":"x"}]}}]}`],
    [
      "posts of a blog",
      `{"count":1,"results":[{"id":1,"title":"x","content":"y","created_at":"2026-01-01T00:00:00Z"}]}`,
    ],
    ["JSON without any bookmark", "[]"],
    ["JSON that is none", "{nothing"],
    ["a table of something else", "name,amount\nbread,2\n"],
    ["text", "Hello there."],
  ])("is refused when it is %s", async (_, text) => {
    await expect(whole(text)).rejects.toThrow(
      /^is not a bookmark export: Commonplace reads HTML .*Pinboard.*zip/,
    );
  });

  test("that is truncated is read as far as possible, and the rest counts as refused", async () => {
    const json = await whole(PINBOARD.slice(0, PINBOARD.indexOf("An old")));
    expect([json.bookmarks.length, json.refused]).toEqual([2, [[3, "cut_off", "", ""]]]);
    const wrong = await whole(PINBOARD.replace(`"toread":"no","tags":""}`, `"toread":"no" "tags":""}`));
    expect([wrong.bookmarks.length, wrong.refused]).toEqual([1, [[2, "cut_off", "", ""]]]);
    const csv = await whole(`${POCKET}"never closed,https://example.com/z,1704067200,,\n`);
    expect([csv.bookmarks.length, csv.refused]).toEqual([2, [[4, "cut_off", "", ""]]]);
  });
});
