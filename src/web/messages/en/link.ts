/** The page of one link. */
export const link = {
  openPage: "Open the page",
  moreActions: "More actions",
  addTags: "Add tags",
  plusTag: "+ tag",
  saveTags: "Add",
  note: "Your note",
  addNote: "Add a note",
  editNote: "Edit the note",
  saveNote: "Save the note",
  cancel: "Cancel",
  address: "Address",
  history: "History",
  saved: (when: string) => `Saved ${when}`,
  /** Before the name of an agent. */
  by: " by ",
  /** Around the name of the file. */
  imported: ["Imported from ", (when: string) => ` ${when}`] as const,
  moreFrom: (host: string) => `More from ${host}`,
  allFrom: (host: string) => `All links from ${host}`,
  sameTags: "Same tags",
};
