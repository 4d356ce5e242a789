import { expect, test } from "bun:test";
import { browserName } from "./browser-name.ts";

const KIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

test("names browsers and systems, also those that pretend to be another one", () => {
  for (const [userAgent, browser, system] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} Chrome/153.0.0.0 Safari/537.36`, "Chrome", "Linux"],
    [`Mozilla/5.0 (X11; Linux x86_64) ${KIT} HeadlessChrome/153.0.0.0 Safari/537.36`, "Chrome", "Linux"],
    [`Mozilla/5.0 (Windows NT 10.0) ${KIT} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`, "Edge", "Windows"],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${KIT} Version/19.0 Safari/605.1.15`,
      "Safari",
      "macOS",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${KIT} CriOS/153.0 Safari/604.1`,
      "Chrome",
      "iPhone",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0", "Firefox", "Linux"],
    ["curl/8.14.1", "curl", undefined],
    [null, undefined, undefined],
  ] as const)
    expect(browserName(userAgent)).toEqual({ browser, system });
});
