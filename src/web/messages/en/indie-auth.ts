/** The page on which a person decides what a program may do. */
export const indieAuth = {
  title: (host: string) => `Allow ${host}?`,
  intro: "This program asks for access to your site.",
  onlyWho: "This program asks who you are. It learns the address of your site, and can change nothing.",
  program: "Program",
  address: "Address",
  returnsTo: "Returns to",
  elsewhere: (target: string, host: string) =>
    `This is another place than ${host}. The page of the program names it: ${target} will get the access.`,
  site: "Your site",
  account: "Account",
  decide: "Permissions",
  permissions: "The program may",
  scopes: {
    create: "create posts and links",
    update: "read and change posts and links",
    delete: "delete and restore posts and links",
    media: "upload pictures",
    draft: "create drafts",
    profile: "see the name of your account",
  },
  tickOne: "Select at least one permission, or cancel.",
  beSure: (host: string) =>
    `Allow this only if you have just started to sign in at ${host}. You can revoke this access on the Tokens page.`,
  invalid: {
    title: "This program’s request is not valid",
    text: "The program that sent you here has made a mistake, so it got no access to your site. Go back and try again. If that does not help, tell the makers of the program:",
    causes: {
      client: "The client_id is not a URL such as https://app.example/.",
      redirectForm:
        "The redirect_uri is not one plain URL such as https://app.example/callback. Nothing was sent to it.",
      redirect:
        "The redirect_uri is neither on the program’s site nor listed on its page. Nothing was sent to it.",
    },
  },
  allow: "Allow",
  deny: "Cancel",
};
