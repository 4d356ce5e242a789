/** @jsxImportSource #jsx */

import { diffLines } from "diff";
import { timeLimit } from "../../time-limit.ts";
import type { Markup } from "../../web/jsx/preact.js";
import type { Messages } from "../../web/messages/en.ts";

/** The number of unchanged lines shown around a change. */
const AROUND = 1;
/** The time limit for comparing two texts, in milliseconds. */
const TIMEOUT = 500;

interface Line {
  readonly whose: "mine" | "theirs" | undefined;
  readonly text: string;
}

/** The difference of two texts by line; equal lines far from a change are left out. */
export function LineDiff({
  theirs,
  mine,
  names,
  messages,
}: {
  readonly theirs: string;
  readonly mine: string;
  readonly names: { readonly theirs: string; readonly mine: string };
  readonly messages: Messages;
}): Markup {
  const lines = linesOf(theirs, mine);
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(index - AROUND, 0), index + AROUND + 1).some(({ whose }) => whose !== undefined),
  );
  const hidden = shown.filter((isShown) => !isShown).length;
  const labels = messages.blog.write;
  return (
    <>
      <table class="diff">
        <caption class="unseen">{labels.difference}</caption>
        <thead class="unseen">
          <tr>
            <th scope="col">{labels.whose}</th>
            <th scope="col">{labels.line}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(
            ({ whose, text }, index) =>
              shown[index] && (
                <tr class={whose}>
                  <td>{whose === undefined ? "" : names[whose]}</td>
                  <td dir="auto">{text}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      {hidden > 0 && <p class="quiet">{labels.equalLines(hidden)}</p>}
    </>
  );
}

function linesOf(theirs: string, mine: string): Line[] {
  // Undefined when it takes too long: then all lines of one text precede all of the other.
  const parts = diffLines(ended(theirs), ended(mine), { timeout: timeLimit(TIMEOUT) }) ?? [
    { value: ended(theirs), removed: true, added: false },
    { value: ended(mine), removed: false, added: true },
  ];
  return parts.flatMap(({ value, removed, added }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): Line => ({ whose: removed ? "theirs" : added ? "mine" : undefined, text })),
  );
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
