import { type PageStates, press, showNotice } from "./picture-state.ts";

/** Waiting comments, and their moderation. */
export const moderation: PageStates = {
  "/moderation": [
    { name: "moderation-empty", on: "empty", path: "/moderation", signedIn: true, title: "Comments" },
    {
      name: "moderation",
      path: "/moderation",
      signedIn: true,
      title: "Comments",
      shows: "Held for review",
      also: ["large", "forced", "medium"],
    },
    { name: "moderation-hostile", on: "hostile", path: "/moderation", signedIn: true, title: "Comments" },
    {
      name: "moderation-approved",
      path: "/moderation?status=shown",
      signedIn: true,
      title: "Comments · Approved",
    },
    {
      name: "moderation-rejected",
      path: "/moderation?status=rejected",
      signedIn: true,
      title: "Comments · Rejected",
      shows: "Buy pens.",
    },
    {
      name: "moderation-rejected-empty",
      on: "empty",
      path: "/moderation?status=rejected",
      signedIn: true,
      title: "Comments · Rejected",
    },
    {
      name: "moderation-removal",
      path: "/moderation",
      signedIn: true,
      title: "Remove this comment?",
      act: async (page) => {
        await page.getByRole("checkbox").first().check();
        await press(page, "Remove");
        await page.getByRole("heading", { name: "Remove this comment?" }).waitFor();
      },
    },
    {
      name: "moderation-removal-several",
      path: "/moderation",
      signedIn: true,
      title: "Remove these 2 comments?",
      act: async (page) => {
        for (const number of [0, 1]) await page.getByRole("checkbox").nth(number).check();
        await press(page, "Remove");
        await page.getByRole("heading", { name: "Remove these" }).waitFor();
      },
    },
    {
      name: "moderation-notice",
      path: "/moderation",
      signedIn: true,
      title: "Comments",
      shows: "Comment approved.",
      act: (page) => showNotice(page, "comment-approved"),
    },
    {
      name: "moderation-undo",
      path: "/moderation",
      signedIn: true,
      title: "Comments",
      shows: "Undo",
      act: (page) => showNotice(page, "comments-rejected", page.url(), "0".repeat(32)),
    },
  ],
  "/moderation/feeds": [
    {
      name: "moderation-feeds",
      on: "empty",
      path: "/moderation/feeds",
      signedIn: true,
      title: "Waiting comments in a feed reader",
    },
    {
      name: "moderation-feeds-new",
      path: "/moderation/feeds",
      signedIn: true,
      title: "Waiting comments in a feed reader",
      shows: "Copy it now; you won’t see it again.",
      act: (page) => press(page, "Create feed"),
    },
  ],
};
