/** The owner's first page. */
export const today = {
  title: "Today",
  /** @param hour by the clock of the site */
  greeting: (name: string, hour: number) =>
    hour < 4
      ? `Hello, ${name}.`
      : `Good ${hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening"}, ${name}.`,
  waiting: "Waiting",
  /** Before the title of a post. */
  on: " on ",
  moreWaiting: (count: number) => `${count} more`,
  scheduled: "Scheduled",
  goOn: "Continue",
  draft: (when: string) => `draft of ${when}`,
  next: "Next to read",
  allNext: "Start reading",
  yearsAgo: "On this day",
  post: (day: string) => `post of ${day}`,
  saved: "Recently saved",
  nothing: "Nothing is waiting for you.",
  write: "Write",
  writeText: "Start a post. It is a draft until you publish it.",
  setUp: ["Give your site its ", "name and description", ", and choose ", "how it looks"],
  newPost: "New post",
  bringBlog: "Import a blog",
};
