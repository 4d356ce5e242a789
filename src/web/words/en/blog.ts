/** Reading, writing and moderating. */
export const blog = {
  minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
  comments: (count: number) => (count === 1 ? "1 comment" : `${count} comments`),
  older: "Older",
  newer: "Newer",
  pages: "Pages",
  empty: "Nothing is published yet.",
  links: { title: "Links", empty: "No link is published yet." },
  archive: {
    title: "Archive",
    find: "Find in the posts",
    submit: "Find",
    years: "Years",
    empty: "Nothing is published yet.",
  },
  tag: {
    title: (name: string) => `#${name}`,
    count: (count: number) => (count === 1 ? "1 post" : `${count} posts`),
  },
  post: {
    before: "Before",
    after: "After",
    others: "Other posts",
    gaveUp: "This text is too intricate to be laid out. It is shown as it was written.",
    edit: "Edit",
    permalink: "Permalink",
  },
  talk: {
    heading: (count: number) =>
      count === 0 ? "Comments" : count === 1 ? "One comment" : `${count} comments`,
    write: "Write a comment",
  },
};
