import { DatabaseSync } from "node:sqlite";
import { type Stored, stateOf } from "./marks.ts";

/** Reads the records of a database, by name. The file is opened as it is, with or without a log. */
export function readContents(path: string): Map<string, Stored> {
  const connection = new DatabaseSync(path, { readOnly: true });
  try {
    return new Map([
      ...connection
        .prepare("select id, title, url, description from bookmarks")
        .all()
        .map(({ id, title, url, description }): [string, Stored] => [
          `bookmark ${title}`,
          [stateOf(url, description), Number(id)],
        ]),
      ...connection
        .prepare("select id, title, content, published from posts")
        .all()
        .map(({ id, title, content, published }): [string, Stored] => [
          `post ${title}`,
          [stateOf(content, published === 1), Number(id)],
        ]),
    ]);
  } finally {
    connection.close();
  }
}
