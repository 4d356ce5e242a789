/**
 * Files in the formats of the products, according to their documentation or source code. docs/importing.md lists the formats
 * for which no real file was available.
 */

export const PINBOARD = `[{"href":"https:\\/\\/example.com\\/tarn","description":"Tarn Hows, Keswick \\u2013 a walk","extended":"Bring boots.\\r\\nAnd a map.","meta":"e03e43ce89b5d6471b196dbb1d48cb7b","hash":"cb8775d288009592a58e8cc3e4decd68","time":"2019-04-05T12:21:12Z","shared":"no","toread":"yes","tags":"walks C# 2019"},
{"href":"https:\\/\\/example.com\\/grammar","description":"First and follow sets","extended":"","meta":"731e34b986993a8b3864d2c7d5e2e3b1","hash":"36649587543bae12367e6fce8ec00000","time":"2014-02-09T01:03:03Z","shared":"yes","toread":"no","tags":""},
{"href":"ftp:\\/\\/example.com\\/old","description":"An old file","extended":"","meta":"","hash":"","time":"2005-10-26T15:56:28Z","shared":"yes","toread":"no","tags":"funny"}
]`;

export const RAINDROP = [
  "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite",
  `833360617,"Why ""frameworks"" fail","A note`,
  `of two lines, with a comma","What the page says",https://example.com/why?a=1&b=2,Reading / Essays / C++,"python, web dev",2005-07-19T02:57:49.000Z,https://example.com/cover.png,"Highlight:the last line",true`,
  `833360618,Unsorted one,,,https://example.com/two,Unsorted,,2024-01-02T00:00:00Z,,,false`,
  `833360619,Båt,,,https://example.com/three,Båt/kanot,,,,,false`,
].join("\n");

export const POCKET = `title,url,time_added,tags,status
"Space, time",https://example.com/pocket,1704067200,science|deep space,unread
https://example.com/untitled,https://example.com/untitled,1500000000,,archive
`;

export const OLD_POCKET = `url,title,time_added,cursor,tags,status
https://example.com/old,Old one,1500000001,abc123,history,archive
`;

export const INSTAPAPER = `URL,Title,Selection,Folder,Timestamp,Tags
https://example.com/a,A,"What I marked, there",Unread,1748490183,"[""reading"",""self hosted""]"
https://example.com/b,B,,Archive,1748490176,[]
https://example.com/c,C,,Starred,1679174385,[]
https://example.com/d,D,,Long Reads,1679174385,
`;

export const LINKDING = JSON.stringify({
  count: 2,
  next: null,
  previous: null,
  results: [
    {
      ...{ id: 1, url: "https://example.com/one", title: "", description: "Said of it.", notes: "**Notes**" },
      ...{ web_archive_snapshot_url: "", favicon_url: null, preview_image_url: null },
      ...{ is_archived: true, unread: true, shared: false, tag_names: ["dev", "R&D"] },
      ...{ date_added: "2020-09-26T09:46:23.006313Z", date_modified: "2020-09-26T16:01:14.275335Z" },
      ...{ website_title: "The page's own title", website_description: null },
    },
    { url: "https://example.com/two", title: "Two", tag_names: [], shared: true, date_added: null },
  ],
});

export const KARAKEEP = JSON.stringify({
  bookmarks: [
    {
      ...{ createdAt: 1704067200, title: "One", tags: ["dev", "self hosted"], lists: ["l2", "l3"] },
      ...{ content: { type: "link", url: "https://example.com/one" }, note: "A note.", archived: true },
    },
    {
      ...{ createdAt: 1704067201, title: null, tags: [], lists: [] },
      ...{ content: { type: "text", text: "Only a thought." }, note: null, archived: false },
    },
    { createdAt: 1704067202, title: "An image", tags: [], content: null, note: null },
  ],
  lists: [
    { id: "l1", name: "Reading", description: null, icon: "📚", type: "manual", query: null, parentId: null },
    { id: "l2", name: "Essays", description: null, icon: "📝", type: "manual", query: null, parentId: "l1" },
    { id: "l3", name: "Loop", description: null, icon: "➰", type: "manual", query: null, parentId: "l3" },
  ],
});

export const FIREFOX = JSON.stringify({
  ...{ guid: "root________", title: "", index: 0, dateAdded: 1460294956000000, typeCode: 2 },
  ...{ type: "text/x-moz-place-container", root: "placesRoot" },
  children: [
    {
      ...{ guid: "menu________", title: "menu", index: 0, typeCode: 2, type: "text/x-moz-place-container" },
      root: "bookmarksMenuFolder",
      children: [
        {
          ...{ guid: "aaaaaaaaaaaa", title: "In the menu", dateAdded: 1463686918000000, typeCode: 1 },
          ...{ iconUri: "https://example.com/icon.png", type: "text/x-moz-place" },
          ...{ uri: "https://example.com/menu", tags: "elves,R&D", keyword: "m" },
        },
        { guid: "bbbbbbbbbbbb", title: "", typeCode: 3, type: "text/x-moz-place-separator" },
        {
          title: "Recent tags",
          type: "text/x-moz-place",
          uri: "place:type=6&sort=14",
          dateAdded: 1463686918000000,
        },
        { title: "Empty", typeCode: 2, type: "text/x-moz-place-container" },
      ],
    },
    {
      ...{ guid: "toolbar_____", title: "toolbar", typeCode: 2, type: "text/x-moz-place-container" },
      root: "toolbarFolder",
      children: [
        {
          type: "text/x-moz-place-container",
          // No specification requires the name to come before the children.
          children: [
            {
              ...{ title: "In a folder", type: "text/x-moz-place", uri: "https://example.com/deep" },
              dateAdded: 1463686918000000,
              annos: [
                { name: "bookmarkProperties/description", flags: 0, expires: 4, value: " What it says " },
              ],
            },
          ],
          title: "Dev / JS",
        },
      ],
    },
    {
      ...{ guid: "tags________", title: "tags", root: "tagsFolder", type: "text/x-moz-place-container" },
      children: [
        {
          ...{ title: "old tag", type: "text/x-moz-place-container" },
          children: [{ type: "text/x-moz-place", uri: "https://example.com/deep" }],
        },
      ],
    },
  ],
});

export const CHROME = JSON.stringify(
  {
    checksum: "d41d8cd98f00b204e9800998ecf8427e",
    roots: {
      bookmark_bar: {
        children: [
          {
            ...{ date_added: "13111491857000000", date_last_used: "0", guid: "x", id: "5", name: "Bar" },
            ...{ type: "url", url: "https://example.com/bar" },
          },
          {
            children: [
              {
                ...{ date_added: "13111491857123456", id: "7", name: "Deep", type: "url" },
                ...{
                  url: "https://example.com/deep",
                  meta_info: { Description: "Vivaldi's", Nickname: "d" },
                },
              },
            ],
            ...{ date_added: "13111491857000000", id: "6", name: "Dev", type: "folder" },
          },
        ],
        ...{ date_added: "13111491800000000", id: "1", name: "Lesezeichenleiste", type: "folder" },
      },
      other: {
        children: [
          { date_added: "0", id: "8", name: "Other", type: "url", url: "https://example.com/other" },
        ],
        ...{ id: "2", name: "Weitere Lesezeichen", type: "folder" },
      },
      synced: { children: [], id: "3", name: "Mobile Lesezeichen", type: "folder" },
      trash: {
        children: [{ id: "9", name: "Gone", type: "url", url: "https://example.com/gone" }],
        ...{ id: "4", name: "Trash", type: "folder" },
      },
    },
    version: 1,
  },
  null,
  3,
);
