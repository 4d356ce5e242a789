/**
 * The titles of pages that some services answer with status 200 in place of the page, until a browser has proved itself:
 * Cloudflare, Akamai, Imperva, DataDome, PerimeterX, Amazon and DDoS-Guard. Compared in lower case, without the
 * punctuation at their ends.
 */
const TITLES = new Set([
  "access denied",
  "access to this page has been denied",
  "are you a robot",
  "attention required! | cloudflare",
  "bot verification",
  "checking your browser",
  "checking your browser before accessing",
  "ddos-guard",
  "ddos protection by cloudflare",
  "human verification",
  "incapsula incident id",
  "just a moment",
  "one moment, please",
  "pardon our interruption",
  "please verify you are a human",
  "please wait... | cloudflare",
  "robot check",
  "robot or human",
  "security check",
  "verify you are human",
  "verifying you are human",
  "you are being redirected",
  "you have been blocked",
  // Cloudflare says its first sentence in the language of the request.
  "einen moment",
  "nur einen moment",
  "un instant",
  "un momento",
  "um momento",
  "один момент",
  "请稍候",
  "請稍候",
  "しばらくお待ちください",
  "잠시만 기다려 주세요",
]);

/** Whether a page is one that keeps programs out. */
export function isBotWall(title: string, headers: Headers): boolean {
  if (headers.has("cf-mitigated")) return true;
  return TITLES.has(title.toLowerCase().replace(/[\s.…!?]{1,9}$/u, ""));
}
