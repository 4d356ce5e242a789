/** Names of blocks, shortcodes, components and fields by which programs show something to some people alone. */
const LIMITING =
  /paywall|premium|unlist|member|restrict|protect|subscriber|logged|private|gated|exclusive|patron|patreon|paid|passster|s2if|s2member|pmpro|mepr|(?:^|[_-])(?:rcp|ihc|wlm|wpmem|swpm|um|pms|ppwp?|whp)(?:[_-]|$)|user-?_?role|access(?!ib)|hidden|hide-|content-?_?control|conditional|visib|requires?-?_?login|login-?_?(?:required|only)|(?:^|[_-])groups-?_?(?:read|groups|can)|(?:^|[_-])(?:password|vip|secret|lock(?:ed)?|gates?)(?:[_-]|$)/i;

/** Whether a name says that something is shown to some people alone. */
export function isLimitingName(name: string): boolean {
  return LIMITING.test(name);
}
