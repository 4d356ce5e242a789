import type { PublicationPatch } from "../src/posts/publication/publication.ts";

/** A post of the made-up owner, as it was written; `day` is its date. */
export interface SeedPost {
  readonly day: string;
  readonly title: string;
  readonly content: string;
  readonly details?: Pick<PublicationPatch, "summary" | "tags" | "language">;
  /** Whether it has a picture as its cover. */
  readonly cover?: boolean;
  /** A draft is not published. */
  readonly draft?: boolean;
  readonly comments?: readonly SeedComment[];
}

/** A comment some hours later. */
export interface SeedComment {
  readonly author: string;
  readonly text: string;
  /** Whether it waits for moderation. */
  readonly waiting?: boolean;
}

/** Newest last. */
export const SEED_POSTS: readonly SeedPost[] = [
  {
    day: "2016-12-04",
    title: "Hello, paper",
    details: { tags: ["notebooks"] },
    content: `A new notebook, and a place to say what goes into it. Links first, because they are the easiest to lose; longer things when there is something to say.

No promises about how often.`,
    comments: [{ author: "Jutta", text: "About time." }],
  },
  {
    day: "2017-03-19",
    title: "Three things about rye",
    details: { tags: ["bread"] },
    content: `1. It does not want to be kneaded. It wants to be left alone.
2. It tells you the time: a starter that doubles in four hours in June needs nine in January.
3. The loaf is not finished when it comes out of the oven. It is finished the next morning.

The last one is the hard one.`,
    comments: [
      { author: "Mirela", text: "Two mornings, for a big one." },
      { author: "T. Okafor", text: "Number one should be printed on every bag of flour." },
    ],
  },
  {
    day: "2018-01-07",
    title: "Two years of the same notebook",
    details: { tags: ["notebooks"] },
    content: `Page 1 says *buy string*. Page 188 says *where is the string*.

I went through all of it with a pencil and wrote a word into the margin of every page. Forty-one different words. Six of them cover two thirds of the book: **bread, maps, quinces, type, databases, people**.

I had thought I was interested in everything.`,
  },
  {
    day: "2018-08-22",
    title: "Ein Nachmittag im Landesarchiv",
    details: { tags: ["maps", "wandern"], language: "de" },
    content: `Man bekommt Handschuhe, einen Bleistift und ein Kissen für den Atlas. Blatt 14 liegt zwischen zwei Blättern, die nichts miteinander zu tun haben: jemand hat es einmal herausgenommen und falsch zurückgelegt, vor 1950, denn der Stempel ist noch der alte.

Der Mühlenweg ist eingezeichnet. Er führt hinter dem Wehr über den Bach, wo heute nichts ist.

> Nicht beschildert, nicht gesperrt, nicht da.

So die Auskunft des Forstamts.`,
    comments: [
      { author: "Henning", text: "Beim Wehr liegen noch zwei Steine im Wasser. Das war die Brücke." },
    ],
  },
  {
    day: "2019-05-11",
    title: "On not going anywhere",
    details: { tags: ["walking"] },
    content: `The plan was six days of walking. The knee had another plan.

So I walked the map instead, with a finger, one sheet a day, and looked up every name that I did not understand. *Hohne* is a high place. *Rehberger Graben* is not a ditch but a canal that runs, against all sense, along the side of a mountain.

I know the valley better now than after any walk through it. I would still rather have had the knee.`,
  },
  {
    day: "2020-04-02",
    title: "Soup for one",
    details: { tags: ["recipes"] },
    content: `The recipe says forty. Divide by forty and you are left with a third of an onion and the thickness of a carrot.

Better: cook for four, four days in a row, and change one thing each day. On the fourth day it is a different soup.`,
    comments: [
      {
        author: "Claire",
        text: "Ma grand-mère disait la même chose, avec une croûte de fromage le troisième jour.",
      },
    ],
  },
  {
    day: "2020-11-15",
    title: "Write it down before you measure it",
    details: { summary: "Eleven times faster, and nobody noticed.", tags: ["software"] },
    content: `Last week I made a query eleven times faster and the page not at all. The query had been 2 % of the page.

What I do now, every time:

- write down what I expect, as a number
- measure the whole
- measure the part
- only then touch anything

\`\`\`sql
explain query plan
select id, title from bookmarks
where (created_at, id) < (?, ?)
order by created_at desc, id desc limit 50;
\`\`\`

The plan above says \`SEARCH bookmarks USING INDEX\`. If it says \`SCAN\`, everything else is decoration.`,
    comments: [
      { author: "T. Okafor", text: "I keep the expected number in the commit message. It is very humbling." },
      { author: "sql_fan_88", text: "What about `explain analyze`?" },
    ],
  },
  {
    day: "2021-06-20",
    title: "Wood type, and the missing R",
    details: { tags: ["typography"] },
    content: `The shop in Leipzig had closed in 1994 and nobody had told the type. Forty cases, one for every size, and in the 12-line grotesque no capital R.

We printed a poster that needs none. It says **BOUND TO HAPPEN**.

The R turned up in October, holding a window open.`,
    comments: [
      {
        author: "Mirela",
        text: "Please say that the window is now held open by something from the 10-line.",
      },
    ],
  },
  {
    day: "2022-02-06",
    title: "地図の折り方",
    details: { tags: ["maps"], language: "ja" },
    content: `山でいちばん役に立つのは、地図を片手で開けることだ。

まず横に八つ、蛇腹に折る。それから縦に一度だけ折る。端をつまんで振ると、見たいところだけが開く。

雨の日は、折り目から破れる。だから折り目は少ないほどいい。`,
  },
  {
    day: "2022-10-30",
    cover: true,
    title: "A server for one person",
    details: { tags: ["software"] },
    content: `It has one processor core, a disk that is mostly empty, and one user, who is asleep for a third of the time.

For this machine nearly all advice is wrong. It does not need a queue, a cluster, or a dashboard. It needs three things: to answer when asked, to lose nothing, and to be forgotten about for months.

## What I gave up

The container, the proxy in front of the proxy, the second database.

## What I kept

The backup. Then the test that the backup can be restored, on the first Sunday of the month, with coffee.`,
    comments: [
      { author: "Henning", text: "Month, really?" },
      { author: "ada", text: "Most months." },
      { author: "Priya N.", text: "The first Sunday is now in my calendar too." },
    ],
  },
  {
    day: "2023-07-09",
    title: "Tags are heads",
    details: { tags: ["notebooks", "software"] },
    content: `In a commonplace book the head of a note is one word in the margin. It is chosen *after* the note is written, by asking: under which word will I look for this?

That question is the whole method. It has two consequences.

A tag is a noun. Nobody looks under "interesting".

And a tag that was used once is not a tag but a typo, or a person.`,
    comments: [{ author: "Jutta", text: "I have 38 that were used once. Twelve are people." }],
  },
  {
    day: "2024-03-02",
    cover: true,
    title: "Ink, again",
    details: { tags: ["notebooks"] },
    content: `Too much, and the letters fill. Too little, and the paper shows through like salt. In between there is a width of about a teaspoon.

I photographed the same forme five times, with a little more ink each time. The third is right. Everybody to whom I showed them, without exception, picked the fourth.`,
  },
  {
    day: "2024-09-14",
    title: "Πώς διαβάζεται ένας χάρτης",
    details: { tags: ["maps"], language: "el" },
    content: `Πρώτα το νερό. Τα ποτάμια λένε πού είναι το χαμηλό, και από εκεί όλα τα άλλα.

Μετά τα ονόματα. Ένα όνομα που δεν καταλαβαίνει κανείς είναι το πιο παλιό πράγμα πάνω στο χαρτί.

Οι δρόμοι έρχονται τελευταίοι. Οι δρόμοι αλλάζουν.`,
  },
  {
    day: "2025-01-12",
    cover: true,
    title: "The year in links",
    details: { tags: ["reading"] },
    content: `I saved 118 pages last year and opened 31 of them again. That is a better rate than the bookshelf has.

Opened most often: the opening hours of the library. Opened least: everything that I had marked *to-try*.`,
    comments: [{ author: "Claire", text: "31 sur 118, c'est énorme." }],
  },
  {
    day: "2025-06-28",
    cover: true,
    title: "What the swifts know about the weather",
    details: { summary: "Six weeks of noons, and a bird that beats the radio.", tags: ["garden"] },
    content: `They are gone by the afternoon before it rains, all of them, and are back before it stops. Nobody has seen them come back.

I kept a list for six weeks: swifts at noon, rain by night. Twenty-two days out of twenty-five. The radio was right on nineteen.`,
  },
  {
    day: "2025-11-23",
    title: "A list is a kind of essay",
    details: { tags: ["reading"] },
    content: `It has an order, and the order is an opinion.

It leaves out, and what it leaves out is an opinion too.

It can be read in any direction, which is more than can be said for this paragraph.`,
    comments: [{ author: "T. Okafor", text: "It can be read from the bottom. I tried." }],
  },
  {
    day: "2026-01-11",
    cover: true,
    title: "Three years of the same notebook",
    details: { tags: ["notebooks"] },
    content: `The fourth volume begins where the third one ends, in the middle of a recipe. The index now has seventy-three words.

New this year: *swifts*, *knees*, *ETag*.`,
  },
  {
    day: "2026-05-19",
    cover: true,
    title: "A short history of the paper clip",
    details: { tags: ["history"] },
    content: `Before the clip there was the pin, and before the pin there was ribbon, threaded through two cuts in the corner by a clerk who did nothing else.

The clip that we all use was never patented. The ones that were patented are all in museums, because they scratched, or slipped, or had to be bent back into shape by a second person.

| | patented | in use |
| --- | --- | --- |
| the owl | yes | no |
| the ideal | yes | in law firms |
| the one on your desk | no | yes |`,
    comments: [
      { author: "Mirela", text: "The ribbon is still in use at our land registry. Green for deeds." },
    ],
  },
  {
    day: "2026-08-14",
    cover: true,
    title: "Ein Weg, der nicht mehr beschildert ist",
    details: { tags: ["maps", "wandern"], language: "de" },
    content: `Blatt 14 der alten Wanderkarte zeigt den Mühlenweg, den es laut Forstamt nie gab. Wir sind ihn gegangen, acht Jahre nach dem Nachmittag im Archiv.

Er ist da. Man muss nur wissen, dass die zwei Steine im Bach keine Steine sind.`,
    comments: [
      { author: "Henning", text: "Ich habe es ja gesagt." },
      {
        author: "Forstamt (privat)",
        text: "Offiziell: kein Weg. Inoffiziell: bitte die Wiese außen umgehen, da brütet es im Mai.",
      },
    ],
  },
  {
    day: "2026-11-09",
    cover: true,
    title:
      "Everything I got wrong about keeping quinces through a winter, in the order in which it went wrong",
    details: { tags: ["garden", "recipes"] },
    content: `Newspaper is better than straw. Straw is better than nothing. Nothing is better than the crate they came in, which had held onions.

**October.** Picked them wet. A wet quince has a brown spot by Tuesday.

**November.** Put them in the cellar with the apples. The quinces ripened the apples, and then the apples ripened everything.

**December.** Wrapped each one, and could no longer see which ones had gone. Unwrapped them all.

**January.** Jelly.`,
    comments: [
      {
        author: "Inés",
        text: "Mi abuela los guardaba entre la ropa. La ropa olía muy bien y los membrillos muy mal.",
      },
      { author: "Jutta", text: "Never beside onions!! I wrote that to you in 2019." },
    ],
  },
  {
    day: "2026-11-18",
    cover: true,
    title: "What the margin is for",
    details: {
      summary: "A page that is full to its edges has no room for what you will think of it next year.",
      tags: ["notebooks", "reading"],
    },
    content: `In 1706 a short book appeared in London under the name of John Locke, who had been dead for two years. It did not argue for anything. It showed how to rule two pages of an empty notebook so that whatever was written in the rest of it could be found again.

The method is small enough to learn in a minute. Every extract gets a *head*, one word, written in the margin. The first letter and the first vowel of that word name a cell in the table, and the cell keeps the page numbers. Nothing is sorted beforehand. You write where there is room, and the index catches up.

> When I meet with any thing that I think fit to put into my common-place-book, I first find a proper head.

## Where the head goes

What strikes me now is not the table but the margin. It takes a fifth of every page and holds almost nothing: a word, sometimes a date. That emptiness is what makes the page readable at a glance, and it is the only part that is written twice, once when the note is made and again when it is used.

Software that keeps notes has mostly lost this. There is a title, a body, a row of colored labels, and all of it sits in one box. So I tried it the other way round on this site. The head of a note is the first tag that it mentions, and finding it is one expression:

\`\`\`js
// The head is the first tag, as it was written.
export function headOf(description) {
  return tagsIn(description)[0] ?? "unsorted";
}
\`\`\`

It is not clever. But a list of two thousand links, each with one word hanging out to the left, turns out to be something that the eye can run down.`,
    comments: [
      {
        author: "Mirela",
        text: "My grandmother ruled hers in pencil and rubbed the line out when the page was full. The dent stayed.",
      },
      {
        author: "T. Okafor",
        text: "Does the vowel rule survive languages without vowels in the script? I tried it on my father's Hebrew notebooks.",
      },
      {
        author: "Best Pens Online",
        text: "Great post! Visit https://pens.example for the best margins.",
        waiting: true,
      },
      {
        author: "Ruth",
        text: "The printed French version of 1686 has the table the other way up.",
        waiting: true,
      },
    ],
  },
  {
    day: "2026-11-20",
    title: "Notes for a talk about notebooks",
    draft: true,
    content: `- start with the string (page 1, page 188)
- the seventy-three words
- show the ribbon from the land registry
- *end on the margin, not on the software*`,
  },
  {
    day: "2026-11-21",
    title: "Marmalade, first attempt",
    draft: true,
    content: `Oranges: 1.2 kg. Sugar: less than it says. Pips: in a cloth, in the pan, out again.

(Photograph of the spoon goes here.)`,
  },
];

/** The bookmarks that the owner published, oldest first. */
export const SEED_LINK_POSTS = [
  {
    title: "How to read the bark of a tree in winter",
    content:
      "For walks in January, when the leaves are no help. The beech is the one that is cold to the hand.",
    tags: ["garden"],
  },
  {
    title: "Walking maps of the Harz, 1896",
    content: `Sheet 14, at last in a resolution at which one can read the names of the mills.

> The path is drawn with a broken line where it depends on the goodwill of the miller.`,
    tags: ["maps", "walking"],
  },
  {
    title: "The index of John Locke",
    content:
      "Two facing pages, and the whole method on them. I wrote about [what the margin is for](/posts/what-the-margin-is-for).",
    tags: ["notebooks"],
  },
] as const;
