import { landscape } from "./landscapes.ts";

/** What is marked in pages of made-up links, on how many days before the end; most of it in the one that is kept. */
export const SEED_MARKS = [
  {
    title: "Walking maps of the Harz, 1896",
    quote: "He needs to know where the path forks, and which of the two looks wrong but is right.",
    note: "For the talk in March: a map is a list of doubts.",
    days: 0,
  },
  {
    title: "Walking maps of the Harz, 1896",
    quote:
      "One does not lose the way in the mountains. One loses the conversation, and notices the way afterwards.",
    note: "",
    days: 0,
  },
  {
    title: "Walking maps of the Harz, 1896",
    quote: "Sheet 9 was lent to a teacher in 1951.",
    note: "Ask the archive whether it ever came back.",
    days: 0,
  },
  {
    title: "Why the margins of old books are so wide",
    quote: "A page is wider than its text, as a house is wider than its rooms.",
    note: "Quote this in the post about margins.",
    days: 3,
  },
  {
    title: "On not finishing books",
    quote: "Nobody was ever asked how a book began.",
    note: "",
    days: 40,
  },
] as const;

/** The title of the made-up link whose page is kept. */
export const KEPT_TITLE = "Walking maps of the Harz, 1896";

/** The page of that link as a browser saves it, with its picture inside. */
export async function keptPage(): Promise<string> {
  const picture = Buffer.from(await landscape(12, { width: 1_200, height: 540 })).toString("base64");
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${KEPT_TITLE}</title><meta name="author" content="Hedda Lindqvist"></head>
<body>
<nav><a href="/">Old Roads</a> <a href="/archive">Archive</a> <a href="/about">About</a></nav>
<article>
<h1>${KEPT_TITLE}</h1>
<p>In the spring of 1896 the mountain club of Wernigerode ordered fourteen sheets at a scale that nobody had asked for. A walker, the
surveyor wrote, does not need the height of a hill. He needs to know where the path forks, and which of the two looks wrong but is right.</p>
<p><img src="data:image/webp;base64,${picture}" alt="Rows of hills in the evening" width="1200" height="540"></p>
<p>So the sheets leave out what other maps are proud of. There are no contour lines. Villages are a name and a church tower. But every bench
is there, every spring that still ran in August, and each signpost has its text printed beside it in a hand so small that the printer sent the
first proofs back, thinking that it was dirt.</p>
<h2>What a broken line means</h2>
<p>The legend knows three kinds of path. A full line can be walked in any weather. A dotted line wants boots. The broken line is the one that
readers still write to me about: it depends, says the legend, on the goodwill of the miller. On sheet 14 there are four of them, and the mill
has been a ruin since the war. The paths are still there. I have walked three.</p>
<blockquote><p>One does not lose the way in the mountains. One loses the conversation, and notices the way afterwards.</p></blockquote>
<p>The fourth ends at a fence. Behind it the line goes on, straight through a garden with currants, and comes out beside the church where the
sheet says that it does. The owner knew about it. Her grandmother, she said, used to leave the gate open on Sundays, and had never told anyone
why.</p>
<h2>Fourteen sheets, one of them missing</h2>
<p>Thirteen of the sheets are in the town archive, scanned in colour and free to use. Sheet 9 was lent to a teacher in 1951. The entry in the
book has a date for its return, in pencil, with a question mark.</p>
</article>
<footer>Old Roads is written by two people and a dog.</footer>
</body>
</html>
`;
}
