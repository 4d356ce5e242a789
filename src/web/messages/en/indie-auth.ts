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
    "bookmarks:read": "find and read your links, and the copies of their pages",
    "bookmarks:write": "read, add and change links: each change can be undone",
    "posts:read": "read posts and drafts",
    "posts:write": "read posts and drafts, and write drafts; never publish",
  },
  thisComputer: (target: string) =>
    `This is a program on the computer of whoever opens this page: ${target} will get the access. Nobody can tell from here which program it is.`,
  assistant: {
    title: () => "Connect an assistant?",
    intro: "asks for access to your site, for an assistant.",
    program: "Who asks",
    permissions: "The assistant may",
    name: "Name",
    nameHint: "This is what it calls itself. You will see it beside each change.",
    notFetched: {
      title: "This assistant cannot be connected here",
      text: "An assistant says who it is on a page of its own, and this site does not read pages. Create a token on the Tokens page instead, and give it to the assistant.",
    },
    allow: "Connect",
    never: "It cannot publish, share, delete for good, or change settings.",
    beSure: () =>
      "Connect only if you have just asked for it yourself. You can end this access on the Tokens page.",
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
      unlisted: "The redirect_uri is not listed in the document of the client. Nothing was sent to it.",
      noDocument:
        "At the client_id there is no Client ID Metadata Document: JSON with status 200 and without a redirect, at an https address with a path, with this client_id, redirect_uris, and the token_endpoint_auth_method none.",
      notFetched: "The setting FETCH_PAGES of this site is off.",
    },
  },
  allow: "Allow",
  deny: "Cancel",
};
