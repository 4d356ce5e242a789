import { type BookmarkFormat, makeRow, paragraphs, WHOLE } from "../../bookmark-format.ts";
import { LeftOut } from "../../left-out.ts";
import { markOf, marksIn } from "../../marks.ts";
import { brokenOff, dateOf, lineOf, listFormat, textOf } from "../json-lists.ts";
import { type JsonItem, type JsonPosition, walkJson } from "../json-walk.ts";
import { tagsIn } from "../tags.ts";

/** Bookmarks of Readeck's API: `href` is the address of the bookmark there, not of the page. */
export const readeck = listFormat("readeck", {
  members: [
    ...[
      "id",
      "href",
      "url",
      "title",
      "description",
      "labels",
      "created",
      "updated",
      "is_marked",
      "is_archived",
    ],
    ...["state", "loaded", "site_name", "site", "lang", "text_direction", "document_type", "type"],
    ...[
      "has_article",
      "is_deleted",
      "read_progress",
      "read_anchor",
      "resources",
      "word_count",
      "reading_time",
    ],
    ...["errors", "sort"],
  ],
  toRow: (bookmark) =>
    makeRow({
      url: lineOf(bookmark.url),
      title: lineOf(bookmark.title),
      description: paragraphs(textOf(bookmark.description)),
      ...tagsIn(bookmark.labels),
      date: dateOf(bookmark.created),
      isImportant: bookmark.is_marked === true,
      isTrashed: bookmark.is_deleted === true,
      states: { unread: false, archived: bookmark.is_archived === true, shared: false },
    }),
});

/**
 * A bookmark in the archive of Readeck's export (internal/portability/export.go in its source): an object with the names of its
 * columns. Beside it is `container`, with the text of its page and the pictures.
 */
export const readeckArchive: BookmarkFormat = {
  name: "readeck",
  rowUnit: "bookmark",
  isUtf8: true,
  async read({ text, onRow, onNote }) {
    const leftOut = new LeftOut([
      ...[
        "ID",
        "UID",
        "UserID",
        "Created",
        "Updated",
        "State",
        "URL",
        "InitialURL",
        "Title",
        "Domain",
        "Site",
      ],
      ...[
        "SiteName",
        "Lang",
        "TextDirection",
        "DocumentType",
        "Description",
        "Text",
        "WordCount",
        "Duration",
      ],
      ...["Embed", "FilePath", "Files", "Errors", "Labels", "ReadProgress", "ReadAnchor", "IsArchived"],
      ...["IsMarked", "Annotations", "Links"],
    ]);
    let rows = 0;
    const onItem = ({ members }: JsonItem) => {
      rows++;
      leftOut.look(members);
      onRow(
        makeRow({
          url: lineOf(members.URL),
          title: lineOf(members.Title),
          description: paragraphs(textOf(members.Description)),
          ...tagsIn(members.Labels),
          date: dateOf(members.Created),
          isImportant: members.IsMarked === true,
          states: { unread: false, archived: members.IsArchived === true, shared: false },
          page: { file: "container/index.html" },
          marks: marksIn(members.Annotations),
        }),
      );
    };
    const treat = ({ within, isArray }: JsonPosition) =>
      within === null ? (isArray ? "skip" : "item") : "keep";
    const syntaxError = await walkJson(text, { treat, onItem });
    for (const note of leftOut.notes()) onNote(note);
    return syntaxError === null ? WHOLE : brokenOff(rows, syntaxError);
  },
};

/** All marks of Readeck's API (`/api/bookmarks/annotations`), each with the address of its page. */
export const readeckMarks = listFormat("readeck", {
  members: [
    ...["id", "href", "text", "created", "color", "note", "bookmark_id", "bookmark_href"],
    ...["bookmark_url", "bookmark_title", "bookmark_site_name"],
  ],
  toRow: (mark) =>
    makeRow({
      url: lineOf(mark.bookmark_url),
      title: lineOf(mark.bookmark_title),
      date: dateOf(mark.created),
      marks: [markOf(mark)],
    }),
});
