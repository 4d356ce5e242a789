/** The bar of the editor, and what stands around its text. Its other texts are in `blog.ts`. */
export const editor = {
  back: "Write",
  /** The length of the text; the script counts it anew. */
  counted: { one: "1 word", many: "{} words", minutes: "{} min" },
  addCover: "Add a cover",
  changeCover: "Change cover",
  remove: "Remove",
  coverAddress:
    "Shown above the text and in previews of links. Enter an address, or choose a file above the title.",
  addTag: "+ tag",
  /** What “/” at the beginning of a line offers. The script puts the count in the place of the 0. */
  insert: {
    list: "Insert",
    hint: "Write, or type / for a picture, a table or code, [[ to cite a link",
    hintWithout: "Write, or type / for a picture, a table or code",
    names: {
      picture: "Picture",
      table: "Table",
      code: "Code",
      quote: "Quotation",
      link: "Link from the library",
    },
    one: "1 choice. Enter inserts it, Escape closes the list.",
    found: "0 choices. Up and down to choose, Enter to insert, Escape to close.",
  },
} as const;
