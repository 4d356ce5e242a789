import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** The part of highlight.js that is used here. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  configure(options: { classPrefix: string }): void;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Not imported: its own declarations would bring the browser's globals into the whole program.
const hljs: Highlighter = require("highlight.js/lib/core");

/** Each language has aliases of its own too: `ts`, `sh`, `toml`, `html`. */
const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};

/** Longer code is not highlighted, to save time. In UTF-16 units. */
const LENGTH_MAX = 50_000;

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
hljs.configure({ classPrefix: "hl-" });

/**
 * Code as HTML with classes (`hl-keyword`), never with styles.
 * @returns "" when the language is unknown; it is never guessed
 */
export function highlight(code: string, language: string): string {
  if (code.length > LENGTH_MAX || hljs.getLanguage(language) === undefined) return "";
  return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
