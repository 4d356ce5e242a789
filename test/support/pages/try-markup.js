// Runs in the browser: actions of the tests on rendered posts.

/** Shows each text alone and does everything that a reader could do with it. Returns the texts that ran script. */
globalThis.textsThatRun = async (texts) => {
  const ran = new Set();
  let shown = "";
  for (const name of ["ran", "alert", "prompt", "confirm"]) globalThis[name] = () => ran.add(shown);
  addEventListener("submit", (event) => event.preventDefault());
  addEventListener("click", (event) => {
    // A link to another page would end the test. A link that runs script does so before the browser follows it.
    const link = event.target.closest("a");
    if (link !== null && !link.href.startsWith("javascript:")) event.preventDefault();
  });
  for (const text of texts) {
    shown = text;
    const main = document.createElement("main");
    document.body.replaceChildren(main);
    main.innerHTML = text;
    for (const element of main.querySelectorAll("*")) {
      for (const type of ["mouseover", "pointerenter", "focus", "animationstart", "toggle", "error", "load"])
        element.dispatchEvent(new Event(type));
      element.click?.();
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  // Images that fail to load report it a moment later.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return [...ran];
};

/** The names of all elements and attributes in the body, and the schemes of its links. */
globalThis.inventory = () => {
  const elements = [...document.querySelectorAll("body *")];
  const links = [...document.querySelectorAll("a[href]")];
  return {
    elements: [...new Set(elements.map(({ localName }) => localName))],
    attributes: [...new Set(elements.flatMap(({ attributes }) => [...attributes].map(({ name }) => name)))],
    schemes: [...new Set(links.map(({ protocol }) => protocol))],
  };
};

/** The texts with content that a post may not contain, each with that content. Nothing in the texts runs. */
globalThis.forbiddenIn = (texts, allowedElements, forbiddenAttributes, allowedSchemes) => {
  const [elements, attributes, schemes] = [allowedElements, forbiddenAttributes, allowedSchemes].map(
    (pattern) => new RegExp(pattern),
  );
  return texts.flatMap((text) => {
    const { body } = new DOMParser().parseFromString(text, "text/html");
    const found = [...body.querySelectorAll("*")].flatMap((element) => [
      ...(elements.test(element.localName) ? [] : [element.localName]),
      ...[...element.attributes].map(({ name }) => name).filter((name) => attributes.test(name)),
      ...(element.hasAttribute("href") && !schemes.test(element.protocol) ? [element.protocol] : []),
    ]);
    return found.length === 0 ? [] : [{ text, found }];
  });
};
