import { describe, expect, test } from "bun:test";
import { whole } from "../../../test/support/files/staged-import.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import type { FormatName } from "./bookmark-format.ts";

/** What a file becomes: address, title, description with its tag line, date, states. */
type Row = readonly [url: string, title: string, description: string, created: string, ...states: string[]];

/** The date of a bookmark without one. */
const NOW = "2026-11-21T06:40:12.345Z";

const json = (value: unknown) => JSON.stringify(value);
const html = (title: string, list: string) =>
  `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>${title}</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n${list}\n</DL><p>\n`;

/** Files of each format: as its program writes them, according to its documentation, source code or exports. */
const files: readonly {
  readonly name: string;
  readonly file: string;
  readonly format: FormatName;
  readonly rows: readonly Row[];
  /** The codes of the notes, but for dates that are missing. */
  readonly notes?: readonly string[];
}[] = [
  {
    name: "Readeck's API, in which href is no address of a page",
    file: json([
      {
        ...{ id: "Gy", href: "https://readeck.example.com/api/bookmarks/Gy", url: "https://example.com/a" },
        ...{
          created: "2025-04-03T19:00:13.646333268Z",
          title: "A",
          description: "Said of it.",
          authors: ["Ada"],
        },
        ...{
          is_marked: true,
          is_archived: true,
          labels: ["old maps", "bread"],
          state: 0,
          site: "example.com",
        },
      },
      {
        ...{ id: "fw", href: "https://readeck.example.com/api/bookmarks/fw", url: "https://example.com/b" },
        ...{ created: "2025-04-02T22:46:17Z", title: "B", description: "", is_marked: false },
        ...{ is_archived: false, labels: [] },
      },
    ]),
    format: "readeck",
    rows: [
      ["https://example.com/a", "A", "Said of it.\n#old-maps #bread", "2025-04-03T19:00:13.646Z", "archived"],
      ["https://example.com/b", "B", "", "2025-04-02T22:46:17.000Z"],
    ],
    notes: ["unknown_members", "important"],
  },
  {
    name: "LinkAce's table, with lists",
    file: `id,user_id,url,title,description,icon,is_private,status,check_disabled,created_at,updated_at,deleted_at,thumbnail,tags,lists
1,1,https://example.com/a,A,"A note",link,1,1,0,2024-01-02T03:04:05.000000Z,2024-01-02T03:04:05.000000Z,,,"design,collection",Bread
2,1,https://example.com/b,B,,link,0,1,0,2024-01-03T03:04:05.000000Z,,,,"old maps,travel","Bread,Later"
`,
    format: "linkace",
    rows: [
      ["https://example.com/a", "A", "A note\n#design #collection #Bread", "2024-01-02T03:04:05.000Z"],
      ["https://example.com/b", "B", "#old-maps #travel #Bread #Later", "2024-01-03T03:04:05.000Z"],
    ],
    notes: ["private"],
  },
  {
    name: "LinkAce's API",
    file: json({
      current_page: 1,
      data: [
        {
          ...{
            id: 1,
            user_id: 1,
            url: "https://example.com/a",
            title: "A",
            description: null,
            is_private: false,
          },
          ...{ check_disabled: false, created_at: "2024-01-02T03:04:05.000000Z" },
          ...{ tags: [{ id: 1, name: "old maps" }], lists: [{ id: 2, name: "Bread" }] },
        },
      ],
    }),
    format: "linkace",
    rows: [["https://example.com/a", "A", "#old-maps #Bread", "2024-01-02T03:04:05.000Z"]],
  },
  {
    name: "Diigo's table, with blanks or commas between tags",
    file: `title,url,tags,description,comments,annotations,created_at
A,https://example.com/a,"bread ""old maps""",Said of it.,A comment,Highlight: words,2017-02-24 11:06:00 UTC
B,https://example.com/b,"old maps,bread",,,,2024/11/14 05:48:28 +0000
C,https://example.com/c,no_tag,,,,2017-02-24 11:06:00 UTC
`,
    format: "diigo",
    rows: [
      [
        "https://example.com/a",
        "A",
        "Said of it.\n\nA comment\n#bread #old-maps",
        "2017-02-24T11:06:00.000Z",
      ],
      ["https://example.com/b", "B", "#old-maps #bread", "2024-11-14T05:48:28.000Z"],
      ["https://example.com/c", "C", "", "2017-02-24T11:06:00.000Z"],
    ],
  },
  {
    name: "Raindrop's table of one collection, without its name",
    file: `id,title,note,excerpt,url,tags,created,cover,highlights,favorite
101,Rye,my note,An excerpt,https://example.com/rye,"bread, old maps",2024-05-06T07:08:09.010Z,,,true
`,
    format: "raindrop",
    rows: [
      [
        "https://example.com/rye",
        "Rye",
        "my note\n\nAn excerpt\n#bread #old-maps",
        "2024-05-06T07:08:09.010Z",
      ],
    ],
    notes: ["important"],
  },
  {
    name: "the table that Raindrop documents, with both separators of folders",
    file: `url,folder,title,note,tags,created
https://example.com/a,Reading/Essays,A,Mine,"bread, maps",2024-05-06T07:08:09Z
https://example.com/b,Reading / Either/Or,B,,,1715000000
`,
    format: "raindrop",
    rows: [
      ["https://example.com/a", "A", "Mine\n#bread #maps #Reading/Essays", "2024-05-06T07:08:09.000Z"],
      ["https://example.com/b", "B", "#Reading/Either-Or", "2024-05-06T12:53:20.000Z"],
    ],
  },
  {
    name: "Raindrop's API",
    file: json({
      result: true,
      items: [
        {
          ...{ _id: 1, link: "https://example.com/a", title: "A", excerpt: "E", note: "N", type: "link" },
          ...{ tags: ["old maps"], created: "2024-05-06T07:08:09.000Z", important: false, highlights: [] },
        },
      ],
    }),
    format: "raindrop",
    rows: [["https://example.com/a", "A", "N\n\nE\n#old-maps", "2024-05-06T07:08:09.000Z"]],
  },
  {
    name: "Raindrop's HTML, without a tag for what is unsorted",
    file: html(
      "Raindrop.io Bookmarks",
      `<DT><H3>Unsorted</H3>\n<DL><p>\n<DT><A HREF="https://example.com/a" ADD_DATE="1596669210" TAGS="Read Later,books" DATA-IMPORTANT="true">A</A>\n<DD>A list.\n</DL><p>
<DT><H3>Maps</H3>\n<DL><p>\n<DT><H3>Unsorted</H3>\n<DL><p><DT><A HREF="https://example.com/b" ADD_DATE="1596669210">B</A></DL></DL><p>`,
    ),
    format: "netscape",
    rows: [
      ["https://example.com/a", "A", "A list.\n#Read-Later #books", "2020-08-05T23:13:30.000Z"],
      ["https://example.com/b", "B", "#Maps/Unsorted", "2020-08-05T23:13:30.000Z"],
    ],
    notes: ["important"],
  },
  {
    name: "a folder of the same name in the HTML of another program",
    file: html(
      "Bookmarks",
      `<DT><H3>Unsorted</H3><DL><DT><A HREF="https://example.com/a" ADD_DATE="1596669210">A</A></DL>`,
    ),
    format: "netscape",
    rows: [["https://example.com/a", "A", "#Unsorted", "2020-08-05T23:13:30.000Z"]],
  },
  {
    name: "Pinboard's HTML, with quotations as notes",
    file: html(
      "Pinboard Bookmarks",
      `<DT><A HREF="https://example.com/a" ADD_DATE="1726850472" PRIVATE="0" TOREAD="0" TAGS="maps,bread">A</A>
<DD>&lt;blockquote&gt;Hello, no luck so far.&lt;/blockquote&gt;
<DT><A HREF="https://example.com/b" ADD_DATE="1726850459" PRIVATE="1" TOREAD="1" TAGS="a b">B</A>
<DD>Mine. &lt;blockquote&gt;Theirs&lt;/blockquote&gt; 1 &lt; 2`,
    ),
    format: "netscape",
    rows: [
      [
        "https://example.com/a",
        "A",
        "Hello, no luck so far.\n#maps #bread",
        "2024-09-20T16:41:12.000Z",
        "shared",
      ],
      ["https://example.com/b", "B", "Mine.\n\nTheirs\n\n1 < 2\n#a #b", "2024-09-20T16:40:59.000Z", "unread"],
    ],
    notes: ["private"],
  },
  {
    name: "Pinboard's XML, of its API",
    file: `<?xml version="1.0" encoding="UTF-8"?>
<posts user="ada"><post href="https://example.com/a?b=1&amp;c=2" time="2014-02-09T01:03:03Z" description="A &amp; B" extended="&lt;blockquote&gt;Words&lt;/blockquote&gt;" tag="maps bread" hash="0" shared="no" toread="yes" /></posts>`,
    format: "delicious",
    rows: [
      ["https://example.com/a?b=1&c=2", "A & B", "Words\n#maps #bread", "2014-02-09T01:03:03.000Z", "unread"],
    ],
    notes: ["private"],
  },
  {
    name: "Firefox's HTML, in which a tag may have blanks",
    file: html(
      "Bookmarks",
      `<DT><A HREF="https://example.com/a" ADD_DATE="1256421049" LAST_MODIFIED="1513440582" TAGS="Sage Feeds">A</A>`,
    ),
    format: "netscape",
    rows: [["https://example.com/a", "A", "#Sage-Feeds", "2009-10-24T21:50:49.000Z"]],
  },
  {
    name: "Chrome's file, with a member that has no place here",
    file: json({
      checksum: "",
      version: 1,
      roots: {
        bookmark_bar: {
          children: [
            {
              ...{
                date_added: "13118850929335823",
                id: "6",
                name: "A",
                type: "url",
                url: "https://example.com/a",
              },
              rating: 5,
            },
          ],
          ...{ id: "1", name: "Bar", type: "folder" },
        },
      },
    }),
    format: "chrome",
    rows: [["https://example.com/a", "A", "", "2016-09-20T13:15:29.335Z"]],
    notes: ["unknown_members"],
  },
  {
    name: "wallabag's API, with tags as objects",
    file: json({
      page: 1,
      _embedded: {
        items: [
          {
            ...{ is_archived: 0, is_starred: 0, id: 5, title: "W", url: "https://example.com/w" },
            ...{
              tags: [
                { id: 1, label: "old maps", slug: "old-maps" },
                { id: 2, label: "bread", slug: "bread" },
              ],
            },
            created_at: "2019-07-28T10:05:54+0000",
          },
        ],
      },
    }),
    format: "wallabag",
    rows: [["https://example.com/w", "W", "#old-maps #bread", "2019-07-28T10:05:54.000Z", "unread"]],
  },
  {
    name: "Linkwarden's API, with tags and a collection as objects",
    file: json({
      response: [
        {
          ...{
            id: 1,
            name: "A",
            url: "https://example.com/a",
            description: "D",
            type: "url",
            collectionId: 2,
          },
          ...{ tags: [{ id: 3, name: "old maps" }], collection: { id: 2, name: "Bread" } },
          createdAt: "2024-01-02T03:04:05.000Z",
        },
      ],
    }),
    format: "linkwarden",
    rows: [["https://example.com/a", "A", "D\n#old-maps #Bread", "2024-01-02T03:04:05.000Z"]],
  },
  {
    name: "Karakeep's API, with tags as objects",
    file: json({
      bookmarks: [
        {
          ...{
            id: "x",
            createdAt: "2024-01-02T03:04:05.000Z",
            title: "A",
            archived: false,
            favourited: true,
          },
          ...{ tags: [{ id: "t", name: "old maps", attachedBy: "human" }], note: "N" },
          content: { type: "link", url: "https://example.com/a" },
        },
      ],
      nextCursor: null,
    }),
    format: "karakeep",
    rows: [["https://example.com/a", "A", "N\n#old-maps", "2024-01-02T03:04:05.000Z"]],
    notes: ["important"],
  },
  {
    name: "Shaarli's API",
    file: json([
      {
        ...{
          id: 1,
          url: "https://example.com/a",
          shorturl: "x",
          title: "A",
          description: "D",
          tags: ["maps", "rye"],
        },
        ...{ private: true, created: "2024-01-02T03:04:05+00:00", updated: "" },
      },
    ]),
    format: "shaarli",
    rows: [["https://example.com/a", "A", "D\n#maps #rye", "2024-01-02T03:04:05.000Z"]],
    notes: ["private"],
  },
  {
    name: "Shiori's API",
    file: json({
      bookmarks: [
        {
          ...{ id: 1, url: "https://example.com/a", title: "A", excerpt: "E", author: "", public: 1 },
          ...{ modifiedAt: "2024-01-02 03:04:05", tags: [{ id: 1, name: "old maps" }] },
        },
      ],
      ...{ maxPage: 1, page: 1 },
    }),
    format: "shiori",
    rows: [["https://example.com/a", "A", "E\n#old-maps", "2024-01-02T03:04:05.000Z", "shared"]],
  },
  {
    name: "GoodLinks' JSON",
    file: json([
      {
        ...{ url: "https://example.com/a", title: "A", summary: "S", tags: ["maps"], starred: false },
        ...{ addedAt: 1704164645.25, readAt: 1704164700 },
      },
      {
        url: "https://example.com/b",
        title: "B",
        tags: [],
        starred: true,
        addedAt: 1704164645,
        readAt: null,
      },
    ]),
    format: "goodlinks",
    rows: [
      ["https://example.com/a", "A", "S\n#maps", "2024-01-02T03:04:05.250Z", "archived"],
      ["https://example.com/b", "B", "", "2024-01-02T03:04:05.000Z", "unread"],
    ],
    notes: ["important"],
  },
  {
    name: "Toby's JSON",
    file: json({
      version: 3,
      lists: [
        {
          title: "Old maps",
          cards: [
            { title: "A page", url: "https://example.com/a", customTitle: "A", customDescription: "D" },
            { title: "B", url: "https://example.com/b", customTitle: "", customDescription: "" },
          ],
          labels: ["rye"],
        },
      ],
    }),
    format: "toby",
    rows: [
      ["https://example.com/a", "A", "D\n#rye #Old-maps", NOW],
      ["https://example.com/b", "B", "#rye #Old-maps", NOW],
    ],
  },
  {
    name: "xBrowserSync's backup",
    file: json({
      xbrowsersync: {
        date: "20240102030405",
        sync: { id: "1", type: "xbs", version: "1.1.13" },
        data: {
          bookmarks: [
            { id: 1, title: "[xbs] Other", children: [{ id: 2, title: "A", url: "https://example.com/a" }] },
            {
              ...{ id: 3, title: "[xbs] Toolbar" },
              children: [
                {
                  ...{ id: 4, title: "Maps & more" },
                  children: [
                    {
                      ...{ id: 5, title: "B", url: "https://example.com/b", description: "Said of it." },
                      tags: ["old maps"],
                    },
                    { id: 6, title: "-" },
                  ],
                },
              ],
            },
          ],
        },
      },
    }),
    format: "xbrowsersync",
    rows: [
      ["https://example.com/a", "A", "", NOW],
      ["https://example.com/b", "B", "Said of it.\n#old-maps #Maps-&-more", NOW],
    ],
  },
  {
    name: "xBrowserSync's backup until version 1.4",
    file: json({ xBrowserSync: { id: "1", bookmarks: [{ title: "A", url: "https://example.com/a" }] } }),
    format: "xbrowsersync",
    rows: [["https://example.com/a", "A", "", NOW]],
  },
  {
    name: "Google Takeout's lists of saved pages",
    file: "Title,Note,URL,Comment\nA,Mine,https://example.com/a,\n",
    format: "google-saved",
    rows: [["https://example.com/a", "A", "Mine", NOW]],
  },
  {
    name: "Google Takeout's playlists of YouTube",
    file: "Video ID,Playlist Video Creation Timestamp\na-B_c1,2024-01-02T03:04:05+00:00\n",
    format: "youtube",
    rows: [["https://www.youtube.com/watch?v=a-B_c1", "", "", "2024-01-02T03:04:05.000Z"]],
  },
  {
    name: "what was saved at Reddit",
    file: "id,permalink\na1,https://www.reddit.com/r/rye/comments/a1/old_maps/\n",
    format: "reddit",
    rows: [["https://www.reddit.com/r/rye/comments/a1/old_maps/", "", "", NOW]],
  },
  {
    name: "Zotero's table",
    file: `"Key","Item Type","Title","DOI","Url","Abstract Note","Date Added","Notes","Manual Tags","Automatic Tags"
"A","webpage","A","","https://example.com/a","Short.","2021-02-03 04:05:06","<p>Mine &amp; yours</p>","old maps; rye",""
"B","journalArticle","B","10.1000/x","","","2021-02-03 04:05:06","","",""
`,
    format: "zotero",
    rows: [
      ["https://example.com/a", "A", "Mine & yours\n\nShort.\n#old-maps #rye", "2021-02-03T04:05:06.000Z"],
      ["https://doi.org/10.1000/x", "B", "", "2021-02-03T04:05:06.000Z"],
    ],
  },
  {
    name: "XBEL, as floccus writes it",
    file: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE xbel PUBLIC "+//IDN python.org//DTD XML Bookmark Exchange Language 1.0//EN//XML" "http://pyxml.sourceforge.net/topics/dtds/xbel.dtd">
<xbel version="1.0">
<!--- highestId :5 :for Floccus bookmark sync browser extension -->
<folder id="1"><title>Old maps</title>
  <folder id="2"><title>Rye &amp; bread</title>
    <bookmark href="https://example.com/a?b&amp;c" id="3" added="2004-11-03T20:00:00Z"><title>A &lt;b&gt;</title><desc>Said
of it.</desc></bookmark>
  </folder>
  <bookmark href="https://example.com/b" id="4"><title>B</title></bookmark>
</folder>
<bookmark href="https://example.com/c" id="5"><title>C</title></bookmark>
</xbel>`,
    format: "xbel",
    rows: [
      [
        "https://example.com/a?b&c",
        "A <b>",
        "Said\nof it.\n#Old-maps/Rye-&-bread",
        "2004-11-03T20:00:00.000Z",
      ],
      ["https://example.com/b", "B", "#Old-maps", NOW],
      ["https://example.com/c", "C", "", NOW],
    ],
  },
  {
    name: "XBEL, as Konqueror writes it",
    file: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE xbel>
<xbel><folder folded="no"><title>Maps</title><desc>Old ones</desc>
<bookmark href="https://example.com/a"><title>A</title><info><metadata owner="http://www.kde.org">
<time_added>1704164645</time_added><time_visited>1804164645</time_visited></metadata></info></bookmark>
</folder></xbel>`,
    format: "xbel",
    rows: [["https://example.com/a", "A", "#Maps", "2024-01-02T03:04:05.000Z"]],
    notes: ["folder_description"],
  },
  {
    name: "Opera's hotlist",
    file: `Opera Hotlist version 2.0\r
Options: encoding = utf8, version=3\r
\r
#FOLDER\r
\tID=1\r
\tNAME=Old maps\r
\r
#URL\r
\tID=2\r
\tNAME=A = B\r
\tURL=https://example.com/a?b=c\r
\tCREATED=1301917631\r
\tDESCRIPTION=Said\u0002\u0002of it.\r
\tSHORT NAME=a\r
\r
-\r
\r
#URL\r
\tNAME=B\r
\tURL=https://example.com/b\r
\r
#FOLDER\r
\tNAME=Trash\r
\tTRASH FOLDER=YES\r
\r
#URL\r
\tNAME=Gone\r
\tURL=https://example.com/gone\r
\r
-\r
`,
    format: "opera-hotlist",
    rows: [
      ["https://example.com/a?b=c", "A = B", "Said\nof it.\n#Old-maps", "2011-04-04T11:47:11.000Z"],
      ["https://example.com/b", "B", "", NOW],
    ],
    notes: ["trash", "keyword"],
  },
  {
    name: "Markdown, most of whose lines are links",
    file: "\ufeff# Links\r\n\r\n- https://example.com/a\r\n- [B](https://example.com/b)\r\n- https://example.com/c said of it\r\n",
    format: "markdown-links",
    rows: [
      ["https://example.com/a", "", "#Links", NOW],
      ["https://example.com/b", "B", "#Links", NOW],
      ["https://example.com/c", "", "said of it\n#Links", NOW],
    ],
  },
  {
    name: "OneTab's lines",
    file: "\ufeffhttps://example.com/a | A | B\r\nhttps://example.com/b | B\r\n\r\nhttps://example.com/c\r\n",
    format: "addresses",
    rows: [
      ["https://example.com/a", "A | B", "", NOW],
      ["https://example.com/b", "B", "", NOW],
      ["https://example.com/c", "", "", NOW],
    ],
  },
  {
    name: "one address a line, with comments",
    file: "# mine\nhttps://example.com/a\n<https://example.com/b>\n// old ones\nhttps://example.com/c\tC\n",
    format: "addresses",
    rows: [
      ["https://example.com/a", "", "", NOW],
      ["https://example.com/b", "", "", NOW],
      ["https://example.com/c", "C", "", NOW],
    ],
    notes: ["not_kept"],
  },
  {
    name: "links in Markdown with words about them, and in pointed brackets",
    file: `- [A](https://example.com/a "Said of it") – and more
- [B](<https://example.com/b> 'a "word"')
- [C](https://example.com/c(d))
- [D]( https://example.com/d )
`,
    format: "markdown-links",
    rows: [
      ["https://example.com/a", "A", "Said of it – and more", NOW],
      ["https://example.com/b", "B", 'a "word"', NOW],
      ["https://example.com/c(d)", "C", "", NOW],
      ["https://example.com/d", "D", "", NOW],
    ],
  },
  {
    name: "HTML of links that have only the date of their last change",
    file: `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://example.com/a" ADD_DATE="0" LAST_MODIFIED="1704164645">A</A>
<DT><A HREF="https://example.com/b" LAST_MODIFIED="1704164645" LAST_VISIT="1804164645">B</A>
<DT><A HREF="https://example.com/c" ADD_DATE="x" LAST_MODIFIED="1704164645">C</A>
</DL>`,
    format: "netscape",
    rows: [
      ["https://example.com/a", "A", "", "2024-01-02T03:04:05.000Z"],
      ["https://example.com/b", "B", "", "2024-01-02T03:04:05.000Z"],
      ["https://example.com/c", "C", "", NOW],
    ],
    notes: ["date_unreadable"],
  },
  {
    name: "GoodLinks with highlights, which Pocket's file of marks has, too",
    file: json([
      {
        ...{ id: "1", url: "https://example.com/a", title: "A", summary: "Said of it.", tags: ["old maps"] },
        ...{ starred: false, addedAt: 1704164645, readAt: 0, highlights: [{ text: "Words" }] },
      },
    ]),
    format: "goodlinks",
    rows: [["https://example.com/a", "A", "Said of it.\n#old-maps", "2024-01-02T03:04:05.000Z", "unread"]],
    notes: ["unknown_members"],
  },
  {
    name: "Karakeep's API, with a summary and what the page says of itself",
    file: json({
      bookmarks: [
        {
          ...{ id: "1", createdAt: "2024-01-02T03:04:05Z", title: "A", tags: [], archived: false },
          ...{ note: "Mine.", summary: "In short." },
          content: { type: "link", url: "https://example.com/a", description: "Said of it." },
        },
      ],
    }),
    format: "karakeep",
    rows: [["https://example.com/a", "A", "Mine.\n\nIn short.\n\nSaid of it.", "2024-01-02T03:04:05.000Z"]],
  },
  {
    name: "Linkwarden's API, with a pinned link and what the page says of itself",
    file: json({
      response: [
        {
          ...{ id: 1, name: "A", description: "Mine.", metaDescription: "Said of it.", collectionId: 1 },
          ...{ url: "https://example.com/a", createdAt: "2024-01-02T03:04:05Z", pinnedBy: [{ id: 1 }] },
        },
      ],
    }),
    format: "linkwarden",
    rows: [["https://example.com/a", "A", "Mine.\n\nSaid of it.", "2024-01-02T03:04:05.000Z"]],
    notes: ["important"],
  },
  {
    name: "Vivaldi's HTML, with nicknames and descriptions",
    file: `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://example.com/a" ADD_DATE="1704164645" NICKNAME="a" DESCRIPTION="Said of it.">A</A>
</DL>`,
    format: "netscape",
    rows: [["https://example.com/a", "A", "Said of it.", "2024-01-02T03:04:05.000Z"]],
    notes: ["keyword"],
  },
  {
    name: "Karakeep's API, with a file that was saved from a page",
    file: json({
      bookmarks: [
        {
          ...{ id: "1", createdAt: "2024-01-02T03:04:05Z", title: "A", tags: [], archived: false },
          content: { type: "asset", assetType: "pdf", sourceUrl: "https://example.com/a.pdf" },
        },
      ],
    }),
    format: "karakeep",
    rows: [["https://example.com/a.pdf", "A", "", "2024-01-02T03:04:05.000Z"]],
  },
  ...[
    ["1", []],
    ["2", ["private"]],
    ["3", ["private"]],
  ].map(([visibility, notes]) => ({
    name: `LinkAce's table with the visibility ${visibility}`,
    file: `id,user_id,url,title,description,visibility,status,check_disabled,created_at,deleted_at,tags,lists\n1,1,https://example.com/a,A,,${visibility},1,,2024-01-02T03:04:05Z,,,\n`,
    format: "linkace" as const,
    rows: [["https://example.com/a", "A", "", "2024-01-02T03:04:05.000Z"]] as const,
    notes: notes as string[],
  })),
  {
    name: "our own table, with dates as spreadsheets leave them",
    file: "url,title,description,created_at\nhttps://example.com/a,A,text,2024-01-02\nhttps://example.com/b,B,text,2024-01-02 10:11:12\n",
    format: "commonplace-csv",
    rows: [
      ["https://example.com/a", "A", "text", "2024-01-02T00:00:00.000Z"],
      ["https://example.com/b", "B", "text", "2024-01-02T10:11:12.000Z"],
    ],
  },
  {
    name: "our own table, with all of its columns and one more",
    file: "url,title,description,tags,folder,unread,archived,shared,created_at,updated_at,rating\nhttps://example.com/a,A,text,maps rye,Dev,true,false,false,2024-01-02T00:00:00Z,,5\n",
    format: "commonplace-csv",
    rows: [["https://example.com/a", "A", "text\n#maps #rye", "2024-01-02T00:00:00.000Z", "unread"]],
    notes: ["unknown_members"],
  },
];

describe("A file is known by what only its format has, and nothing of it is lost without a word", () => {
  test.each(files.map((file) => [file.name, file] as const))(
    "%s",
    async (_, { file, format, rows, notes = [] }) => {
      const read = await whole(file);
      const codes = read.notes.map(([, code]) => String(code)).filter((code) => code !== "date_missing");
      expect({ format: read.format, refused: read.refused, notes: [...new Set(codes)] }).toEqual({
        ...{ format, refused: [], notes: [...notes] },
      });
      const found = read.bookmarks.map(({ url, title, description, created, states }) => [
        ...[url, title, description, created, ...states],
      ]);
      expect(found).toEqual(rows.map((row) => [...row]));
    },
  );

  test.each([
    ["the order of its members", (text: string) => text],
    ["what stands around its list", (text: string) => text.replace(/^\[/, "\n [").replace(/\]$/, " ]\n")],
  ])("whatever %s", async (_, change) => {
    for (const { file, format } of files.filter(({ file }) => file.startsWith("["))) {
      const reversed = (value: unknown): unknown =>
        Array.isArray(value)
          ? value.map(reversed)
          : typeof value === "object" && value !== null
            ? Object.fromEntries(Object.entries(value).toReversed())
            : value;
      expect((await whole(change(json(reversed(JSON.parse(file)))))).format).toBe(format);
    }
  });
});

/** Bookmarks of some programs, each with what says that one is in the trash there. */
const TRASHED: readonly (readonly [program: string, file: (isTrashed: boolean) => string])[] = [
  [
    "Omnivore",
    (is) =>
      `{"url":"https://example.com/${is}","savedAt":"","labels":[],"state":"${is ? "Deleted" : "Active"}"}`,
  ],
  ["Raindrop", (is) => `{"link":"https://example.com/${is}","excerpt":"","created":"","removed":${is}}`],
  [
    "Readeck",
    (is) =>
      `{"url":"https://example.com/${is}","is_marked":false,"is_archived":false,"labels":[],"is_deleted":${is}}`,
  ],
  [
    "LinkAce",
    (is) =>
      `{"url":"https://example.com/${is}","user_id":1,"check_disabled":0,"deleted_at":${is ? '"2024-01-02"' : null}}`,
  ],
];

test.each(TRASHED)("What is in the trash of %s is not imported, with a note", async (_, one) => {
  const { bookmarks, notes } = await whole(`[${one(true)},${one(false)},${one(true)}]`);
  expect(bookmarks.map(({ url }) => url)).toEqual(["https://example.com/false"]);
  expect(notes.map(([, code]) => code)).toContain("trash");
  await expect(whole(`[${one(true)}]`)).rejects.toThrow(/^has no bookmarks in it, apart from the trash/);
});

describe("Tags of JSON are read in any shape, or it is said that they are not", () => {
  const bookmark = (tags: unknown) =>
    json([{ url: "https://example.com/", title: "A", savedAt: "2024-01-02T03:04:05Z", labels: tags }]);

  test.each([
    ["texts", ["old maps", "rye"]],
    ["one text", "old maps,rye"],
    [
      "objects with a label",
      [
        { id: 1, label: "old maps", slug: "old-maps" },
        { id: 2, label: "rye" },
      ],
    ],
    ["objects with a name", [{ id: 1, name: "old maps" }, { name: "rye" }]],
    ["objects with a title", [{ title: "old maps" }, { title: "rye", color: "red" }]],
    ["objects with a slug alone", [{ slug: "old-maps" }, { slug: "rye" }]],
    ["objects with a tag", [{ tag: "old maps" }, { tag: "rye" }]],
    ["arrays in an array", [["old maps"], ["rye"]]],
    ["an object of objects", { "1": { tag: "old maps" }, "2": { tag: "rye" } }],
    ["a mixture", ["old maps", { name: "rye" }, null, ""]],
  ])("%s", async (_, tags) => {
    const { bookmarks, notes } = await whole(bookmark(tags));
    expect([bookmarks[0]?.description, notes]).toEqual(["#old-maps #rye", []]);
  });

  test.each([
    ["ids", [1, 2]],
    ["objects of ids", [{ id: 1 }, { id: 2 }]],
    ["too deep an array", JSON.parse(`${"[".repeat(50)}"a"${"]".repeat(50)}`)],
  ])("%s", async (_, tags) => {
    const { bookmarks, notes } = await whole(bookmark(tags));
    expect([bookmarks[0]?.description, notes]).toEqual(["", [[1, "tags_unread"]]]);
  });

  test.each([[[]], [null], [""]])("none: %j", async (tags) => {
    expect((await whole(bookmark(tags))).notes).toEqual([]);
  });
});

test("what is said of a collection of Linkwarden is named as left out", async () => {
  const links = [
    { id: 1, name: "A", url: "https://example.com/a", tags: [], createdAt: "2024-01-02T03:04:05Z" },
  ];
  const { notes } = await whole(
    json({ collections: [{ id: 1, name: "Maps", description: "Old ones.", parentId: null, links }] }),
  );
  expect(notes).toEqual([[1, "folder_description"]]);
});

describe("A file that is not read says so, and what to do", () => {
  test.each([
    [
      "a blog of WriteFreely",
      json({
        username: "ada",
        collections: [{ alias: "ada", title: "Ada", posts: [{ id: "x", body: "Hello." }] }],
        posts: [],
      }),
      /^is a blog of WriteFreely/,
    ],
    [
      "Mastodon's bookmarks.json",
      json({ id: "bookmarks.json", type: "OrderedCollection", orderedItems: ["https://example.com/@a/1"] }),
      /^is an export of Mastodon .*bookmarks\.csv/,
    ],
    [
      "a JSON Feed",
      json({
        version: "https://jsonfeed.org/version/1.1",
        items: [{ id: "1", content_html: "x", date_published: "x" }],
      }),
      /^is a JSON Feed, .*Atom/,
    ],
    ["Arc's sidebar", json({ sidebar: { containers: [] }, sidebarSyncState: {}, version: 1 }), /Arc/],
    [
      "a property list",
      '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "x" "y">\n<plist version="1.0"></plist>',
      /Safari/,
    ],
    [
      "passwords",
      "Title,URL,Username,Password,Notes\nA,https://example.com/,ada,secret,\n",
      /^has passwords/,
    ],
    [
      "wallabag's table",
      "Title;URL;Content;Tags;MIME Type;Language;Creation date\nA;https://example.com/;;;;;\n",
      /wallabag's.*JSON/,
    ],
    [
      "notes of Evernote",
      '<?xml version="1.0"?>\n<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n<en-export application="Evernote"><note></note></en-export>',
      /Evernote/,
    ],
    ["BibTeX", "% Zotero\n@misc{ada_page_2020,\n  url = {https://example.com/},\n}\n", /BibTeX.*CSV/],
    ["RIS", "TY  - ELEC\nTI  - A\nUR  - https://example.com/\nER  - \n", /RIS.*CSV/],
    [
      "CSL JSON",
      json([{ id: "x", type: "webpage", title: "A", URL: "https://example.com/", accessed: {} }]),
      /CSL.*CSV/,
    ],
    ["X's archive", 'window.YTD.like.part0 = [ { "like" : { "tweetId" : "1" } } ]', /archive of X/],
    [
      "a table of nobody",
      "name,link,stars\nA,https://example.com/,5\n",
      /columns that .* not know \(name, link, stars\)/,
    ],
    [
      "our own table with foreign columns",
      "url,title,description,created_at,lists\nhttps://example.com/,A,,2024-01-02,Bread\n",
      /columns that .* not know \(lists\)/,
    ],
    ["half of our own table", "url,title\nhttps://example.com/,A\n", /^is a table: give it the columns/],
    [
      "Instapaper's HTML",
      '<!DOCTYPE html>\n<html><head><title>Instapaper: Export</title></head><body><h1>Unread</h1><ol><li><a href="https://example.com/">A</a></ol>',
      /Instapaper.*CSV/,
    ],
    ["feeds", '<?xml version="1.0"?><opml version="2.0"><body></body></opml>', /OPML/],
    [
      "collections without links",
      json({ collections: [{ name: "A", links: [] }] }),
      /^has no bookmarks in it$/,
    ],
    [
      "links around an empty list",
      html("Bookmarks", "").concat('<a href="https://example.com/">One</a>'),
      /^has no bookmarks in it$/,
    ],
    ["folders alone", html("Bookmarks", "<DT><H3>Empty</H3><DL></DL>"), /^has no bookmarks in it$/],
  ])("%s", async (_, file, message) => {
    const error = await whole(file).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect((error as UnreadableFile).message).toMatch(message);
    // What is said is shorter than the list of all that is read.
    expect((error as UnreadableFile).message.length).toBeLessThan(400);
  });

  test.each([
    ["a list", json({ results: [] })],
    ["a table", "title,url,time_added,tags,status\n"],
    ["HTML", html("Bookmarks", "")],
  ])("but that an export is of an empty collection: %s", async (_, file) => {
    expect(await whole(file)).toMatchObject({ bookmarks: [], refused: [] });
  });

  test.each([
    [
      "texts with a link",
      "# A day\n\nI walked to [the tarn](https://example.com/), and came back.\n\n- [One](https://example.com/1)\n",
    ],
    ["a post with front matter", `---\ntitle: Links\n---\n${"- [One](https://example.com/1)\n".repeat(9)}`],
    ["a post with a paragraph", `${"- [One](https://example.com/1)\n".repeat(9)}\n${"Long. ".repeat(50)}\n`],
    [
      "sentences that begin with addresses",
      "https://example.com/a is a page.\nhttps://example.com/b is, too.\n",
    ],
    [
      "a list of an unknown program",
      json([{ url: "https://a.example/", title: "A", highlights: [], tags: [] }]),
    ],
  ])("%s: no list of bookmarks that is known", async (_, file) => {
    await expect(whole(file)).rejects.toThrow(/^is not a bookmark export/);
  });
});
