import type { LibraryParts } from "./library-pages.ts";

/** Tags that bookmarks of the same site have, the most used first. @param typed an address, perhaps none */
export async function suggestTags(_parts: LibraryParts, _typed: string): Promise<string[]> {
  return [];
}
