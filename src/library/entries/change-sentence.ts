import type { Change } from "../../changes/change-store.ts";
import type { BookmarkStates } from "../../records/bookmark-members.ts";
import type { Messages } from "../../web/messages/en.ts";

/** The longest list of tags that is named, in characters. */
const NAMED_MAX = 200;
/** Around a name, so that its direction, or a character that turns text round, ends with it (Unicode Bidirectional Algorithm, 2.3). */
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ["\u2068", "\u2069"];

/** What a change did, in words: “Added #a and #b”. */
export function changeSentence(
  { record, kind, details }: Pick<Change, "record" | "kind" | "details">,
  messages: Messages,
): string {
  const labels = messages.library.one.done;
  if (record === "mark")
    return (kind === "remove" ? labels.markRemoved : labels.noteOfMark)(
      isolated(String(details.quote ?? "")),
    );
  const { name, names = name, to, add_tags, remove_tags, states } = details;
  const [added, removed] = [namedTags(add_tags, messages), namedTags(remove_tags, messages)];
  if (kind === "rename_tag") return labels.rename_tag(namedTags(names, messages), namedTags(to, messages));
  if (kind === "delete_tag") return labels.delete_tag(namedTags(names, messages));
  if (kind === "merge" || kind === "update") return labels[kind];
  if (states !== undefined) return statesSentence(states as Partial<BookmarkStates>, labels);
  if (added && removed) return labels.replaced(removed, added);
  if (added) return labels.added(added);
  return removed ? labels.removed(removed) : labels.other;
}

function statesSentence(
  { unread, archived }: Partial<BookmarkStates>,
  labels: Messages["library"]["one"]["done"],
): string {
  if (unread !== undefined) return unread ? labels.unread : labels.read;
  return archived ? labels.archived : labels.unarchived;
}

function isolated(name: string): string {
  return `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}`;
}

/** The tags in the details of a change, as a list of words: “#a, #b, and #c”; only their number if the list is long. */
export function namedTags(names: unknown, messages: Messages): string {
  const tags = [names].flat().flatMap((name) => (typeof name === "string" ? [isolated(`#${name}`)] : []));
  const list = new Intl.ListFormat(messages.language).format(tags);
  return tags.length > 1 && list.length > NAMED_MAX ? messages.library.one.tags(tags.length) : list;
}
