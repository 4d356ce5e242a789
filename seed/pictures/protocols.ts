import { createHash } from "node:crypto";
import { alert, type PageStates, press } from "./picture-state.ts";

/** The path of the consent page for a program. */
const authorizePath = (client: string, scope: string) =>
  `/indieauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: client,
    redirect_uri: `${client}callback`,
    state: "1",
    code_challenge: createHash("sha256").update("verifier").digest("base64url"),
    code_challenge_method: "S256",
    scope,
  })}`;

const APP = "https://app.example/";
const LONG_APP = `https://${"a-very-long-name-of-a-program.".repeat(6)}example/`;
const EVERYTHING = "create update delete media profile";

/** The pages to which programs send people. */
export const protocols: PageStates = {
  "/indieauth/authorize": [
    {
      name: "consent",
      path: authorizePath(APP, EVERYTHING),
      signedIn: true,
      title: "Allow app.example?",
      also: ["large"],
    },
    {
      name: "consent-identity",
      path: authorizePath(APP, ""),
      signedIn: true,
      title: "Allow app.example?",
      shows: "can change nothing",
    },
    {
      name: "consent-hostile",
      on: "hostile",
      path: authorizePath(LONG_APP, EVERYTHING),
      signedIn: true,
      title: "Allow a-very-long-name",
    },
    {
      name: "consent-errors",
      path: authorizePath(APP, EVERYTHING),
      signedIn: true,
      title: "Error: Allow app.example?",
      act: async (page) => {
        for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
        await press(page, "Allow");
        await alert(page);
      },
    },
    { name: "consent-refused", path: "/indieauth/authorize?client_id=none", signedIn: true, title: "" },
    { name: "consent-signed-out", path: authorizePath(APP, EVERYTHING), title: "Sign in" },
  ],
  "/docs": [
    { name: "api", path: "/docs", title: "", act: (page) => page.locator(".opblock").first().waitFor() },
  ],
};
