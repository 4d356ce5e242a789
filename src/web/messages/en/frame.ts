/** What is around the pages of the owner. */
export const frame = {
  /** The owner's menu above a page for readers. */
  own: "Your pages",
  /** The bar at the foot of a phone's window, and what it leads to. */
  bar: "Quick links",
  more: "More",
  others: "More pages",
  close: "Close",
  /** The site among the apps of a phone or a computer. */
  install: {
    title: "As an app",
    text: "This site can stand among your apps, in a window of its own. On an iPhone or iPad, tap Share, then “Add to Home Screen”. Elsewhere the browser’s menu has it.",
    install: "Install as an app",
  },
  /** Links to try an empty library with. */
  samples: {
    title: "Look around",
    add: "Try it with sample links",
    about: "A dozen links, tagged #sample. One click removes them again.",
    here: "These are sample links.",
    remove: "Remove the samples",
  },
};
