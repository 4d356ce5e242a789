/** What `import … with { type: "text" }` gives: the file's text. A line for each script. */
declare module "*/getting-in.js" {
  const text: string;
  export default text;
}
