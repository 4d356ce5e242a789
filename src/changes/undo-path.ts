import { z } from "zod";

/** The path that undoes a change. */
export function undoPath(key: string): string {
  return `/api/undo/${key}/`;
}

/** The key of the examples. */
export const UNDO_EXAMPLE = "5f0c9e1ab27d4c3886e0d9b1f4a2c37e";

/** Where a change can be undone: a path, in the responses of what changes many records. */
export const UndoPath = z
  .string()
  .nullable()
  .meta({
    description: "POST to this path to undo the change; null if nothing changed.",
    example: undoPath(UNDO_EXAMPLE),
  });
