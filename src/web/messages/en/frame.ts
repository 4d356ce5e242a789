/** What is around the pages of the owner. */
export const frame = {
  /** The owner's menu above a page for readers. */
  own: "Your pages",
  /** The bar at the foot of a phone's window, and what it leads to. */
  bar: "Quick links",
  more: "More",
  others: "More pages",
  close: "Close",
};
