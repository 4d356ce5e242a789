/** What `import … with { type: "text" }` gives: the file's text. A declaration for each script. */
declare module "*/public/library.js" {
  const text: string;
  export default text;
}

declare module "*/public/selection.js" {
  const text: string;
  export default text;
}

declare module "*/public/add-form.js" {
  const text: string;
  export default text;
}

declare module "*/public/other-pages.js" {
  const text: string;
  export default text;
}

declare module "*/public/running-job.js" {
  const text: string;
  export default text;
}

declare module "*/public/look-preview.js" {
  const text: string;
  export default text;
}

declare module "*/public/install.js" {
  const text: string;
  export default text;
}

declare module "*/public/mirror.js" {
  const text: string;
  export default text;
}

declare module "*/public/caret-list.js" {
  const text: string;
  export default text;
}

declare module "*/public/insert.js" {
  const text: string;
  export default text;
}

declare module "*/public/marks.js" {
  const text: string;
  export default text;
}

declare module "*/public/cite.js" {
  const text: string;
  export default text;
}

declare module "*/public/find.js" {
  const text: string;
  export default text;
}

declare module "*/public/copy.js" {
  const text: string;
  export default text;
}

declare module "*/public/kept-texts.js" {
  const text: string;
  export default text;
}

declare module "*/public/picture-marks.js" {
  const text: string;
  export default text;
}

declare module "*/public/pictures.js" {
  const text: string;
  export default text;
}

declare module "*/public/writing-help.js" {
  const text: string;
  export default text;
}

declare module "*/public/editor.js" {
  const text: string;
  export default text;
}

declare module "@github/markdown-toolbar-element/dist/index.js" {
  const text: string;
  export default text;
}

declare module "*/public/tag-field.js" {
  const text: string;
  export default text;
}

declare module "*/getting-in.js" {
  const text: string;
  export default text;
}

declare module "*/public/reading.js" {
  const text: string;
  export default text;
}

declare module "*/public/stay.js" {
  const text: string;
  export default text;
}

declare module "*/public/marking.js" {
  const text: string;
  export default text;
}

declare module "*/unreached.js" {
  const text: string;
  export default text;
}
