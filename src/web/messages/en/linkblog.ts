/** Publishing bookmarks, and citing them. */
export const linkblog = {
  publish: {
    title: "Publish on the blog",
    intro: "Your readers see only these fields, as a link post on your site.",
    postTitle: "Title",
    text: "Text",
    textHint: "What you say about the link, in Markdown. Optional.",
    tags: "Tags",
    tagsHint: "Separate tags with commas. Remove any you want to keep private.",
    submit: "Publish",
    cancel: "Cancel",
    note: "Private note",
    noteText: "Your note is not published.",
    useNote: "Use it as the text",
    published: "Already published",
    publishedText: "This link is already on your site:",
    edit: "Edit the post",
    show: "View the post",
  },
  cite: {
    title: "Cite a link",
    intro: "Copy a line into your text. In the editor you can also type",
    newest: "Show the newest links",
    find: "Find in the library",
    submit: "Find",
    nothing: (q: string) => `Nothing found for “${q}”.`,
    markdown: (title: string) => `Markdown for “${title}”`,
    unreadable: (q: string) =>
      `“${q}” cannot be read as a search. Try it without quotation marks, parentheses and colons.`,
  },
  editor: {
    cite: "Cite",
    citeTitle: "Cite a link from the library (opens in a new tab; or type [[ in the text)",
    list: "Links from the library",
    none: "No links found.",
    one: "1 link. Enter inserts it, Escape closes the list.",
    /** The script puts the count in the place of the 0. */
    found: "0 links. Up and down to choose, Enter to insert, Escape to close.",
  },
  citedIn: "Cited in",
  citedInDraft: "draft",
  citedInMore: (count: number) => (count === 1 ? "and in one older post" : `and in ${count} older posts`),
};
