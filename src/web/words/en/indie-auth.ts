/** The page on which a person decides what a program may do. */
export const indieAuth = {
  title: (host: string) => `Allow ${host}?`,
  intro: "This program asks for access to your site.",
  onlyWho: "This program asks who you are. It learns the address of your site, and can change nothing.",
  program: "Program",
  address: "Address",
  returnsTo: "Returns to",
  site: "Your site",
  account: "Account",
  decide: "Permissions",
  permissions: "The program may",
  scopes: {
    create: "create posts and bookmarks",
    update: "read and change posts and bookmarks",
    delete: "delete and restore posts and bookmarks",
    media: "upload images",
    draft: "create drafts",
    profile: "know the name of your account",
  },
  tickOne: "Select at least one permission, or cancel.",
  beSure: (host: string) =>
    `Allow this only if you have just started to sign in at ${host}. You can revoke this access on the Keys page.`,
  notReadable: "This request cannot be read",
  allow: "Allow",
  deny: "Cancel",
};
