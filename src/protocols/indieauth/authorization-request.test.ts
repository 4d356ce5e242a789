import { expect, test } from "bun:test";
import { otherTargetOf } from "./authorization-request.ts";

const client = new URL("https://app.example/");

test("a program that returns to another place than its own host is seen", () => {
  const targets = {
    "https://app.example/cb": undefined,
    "https://other.example/cb": "other.example",
    "https://app.example:8443/cb": "app.example:8443",
    "https://app.example.evil.example/": "app.example.evil.example",
    "app.example:/cb": "app.example:",
  };
  for (const [redirectUri, target] of Object.entries(targets))
    expect([redirectUri, otherTargetOf({ client, redirectUri })]).toEqual([redirectUri, target]);
});
