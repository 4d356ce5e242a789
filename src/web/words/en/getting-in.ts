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
};
