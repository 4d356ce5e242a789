/** The worst texts that people write: long, unbroken, right-to-left, or containing markup. */
export const LONG_TITLE =
  "On the keeping of commonplace books by people who read more than they can remember, with an appendix on Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";
export const LONG_URL = `https://long.example/${"a-very-long-path-without-a-break".repeat(10)}`;
export const UNBROKEN = "unbroken".repeat(20);
export const MARKUP = `<img src=x onerror="alert(1)"> & "quotes" </title><script>alert(1)</script>`;
export const HEBREW = "ספר המקומות הכלליים של ג׳ון לוק, והמפתח שלו בשני עמודים";
export const ARABIC = "كتاب المواضع المشتركة: كيف نحفظ ما نقرأ";
/** Reverses the direction of the text after it, with invisible marks. */
export const BIDI_OVERRIDE = "A title that \u202eturns around\u202c in the middle";
export const EMOJI = "👩‍👩‍👧‍👦 Zalgo t̷̨̛e̸x̴t̶ and 日本語の古い地図を読むための小さな手引き";

export const HOSTILE_TITLES = [LONG_TITLE, UNBROKEN, MARKUP, HEBREW, ARABIC, BIDI_OVERRIDE, EMOJI] as const;
export const LONG_TAG = "a-tag-that-is-much-longer-than-a-tag-should-ever-be-but-people-do-it";

/** A text with every element that a text can have. @param picture the address of an image */
export function everyElement(picture: string): string {
  return `Read it in full in the [original](https://example.com/a).[^1]

## A second heading, which is rather long and wraps on a phone for sure

> What is quoted, over a line or two, so that it is seen how a quotation stands in the text.

![Nine quinces on a table](${picture} "A caption of the picture")

- one
- two
  1. nested
  2. again

\`\`\`ts
export function sortNotes(notes: readonly Note[]): Note[] { // a comment that is longer than any phone is wide
  return notes.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}
\`\`\`

| Year | Book | Pages | Remarks that make the table wider than a phone |
|---|---|---:|---|
| 1706 | A New Method of Making Common-Place-Books | 60 | by John Locke |
| 2026 | ${"Unbroken".repeat(10)} | 1 | |

### A third

Inline \`code\`, ~~struck~~, **bold**, *italic*, <kbd>Ctrl</kbd>, ${LONG_URL}.

<details><summary>More</summary>

Hidden at first.

</details>

---

日本語の文章。${HEBREW}. The end.

[^1]: A note at the foot, [with a link](https://example.com/note).
`;
}
