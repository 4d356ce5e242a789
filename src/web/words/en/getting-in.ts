/** Signing in and setting up. */
export const gettingIn = {
  signIn: {
    title: "Sign in",
    intro: "After signing in you return to the page that you asked for.",
    name: "Name",
    password: "Password",
    submit: "Sign in",
    forgotten: "Forgotten? Whoever runs this server can set a new password:",
    forgottenCommand: "commonplace account password NAME",
    noAccounts:
      "This server has no account yet. Whoever runs it makes the first one with the link that this prints:",
    noAccountsCommand: "commonplace welcome",
  },
  firstRun: {
    title: "This server is new",
    intro:
      "It keeps links and posts for one person or a few, in one database of yours. Nothing is sent anywhere, and nobody is counted.",
    first: "First",
    makeAccount:
      "Make your account. The server printed a welcome link in its terminal. If it has scrolled away, this prints a fresh one:",
    command: "commonplace welcome",
    inContainer: "In a container:",
    containerCommand: "docker exec commonplace commonplace welcome",
    once: "The link works for an hour, once.",
    orElse: "Or else",
    lookAroundText:
      "Look around without one. Until you have chosen otherwise, the library is open to people and programs on this computer only.",
    lookAround: "Look around",
    programs: "Programs",
    programsText: "The API answers at once, and needs no account from here:",
    curl: (origin: string) =>
      `curl ${origin}/bookmarks/ \\\n  -H 'content-type: application/json' \\\n  -d '{"url": "https://example.org/", "title": "An example"}'`,
    documentation: "Read the documentation",
    foot: "Only this computer sees this page.",
  },
  notSetUp: {
    title: "This server is not set up yet",
    text: "Whoever runs it makes the first account with the link that the command “commonplace welcome” prints.",
  },
  welcome: {
    title: "Welcome",
    intro: "A few answers, and the server is yours. All of them can be changed later.",
    you: "You",
    name: "Name",
    nameHint: "You sign in with it. Letters, digits, dots, underscores and hyphens.",
    password: "Password",
    passwordHint: "Ten characters or more. Four words are better than ten signs.",
    site: "The site",
    siteName: "Name of the site",
    library: "The library",
    whoSees: "Who sees your bookmarks?",
    accessIsSet: "Who sees your bookmarks is set by BOOKMARKS_ACCESS.",
    access: [
      { value: "private", text: "Only me", hint: "Everybody else is asked to sign in." },
      {
        value: "read",
        text: "Everybody may read",
        hint: "Only you can write. Your notes are readable, too.",
      },
      {
        value: "open",
        text: "Everybody may read and write",
        hint: "For a network that you trust, such as your home.",
      },
    ],
    submit: "Make my account",
    until: (time: string, zone: string) => `This page works once, until ${time} (${zone}).`,
  },
};
