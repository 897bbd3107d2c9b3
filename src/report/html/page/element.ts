type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element with attributes and children. Text becomes text: nothing here reads HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** The attributes of what scrolls sideways: it is reached by the keyboard, too. */
export function scrolling(label: string): Attributes {
  return { class: "scroll", role: "group", "aria-label": label, tabindex: 0 };
}

/** An element of a drawing. */
export function createSvg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Node[]
): SVGElementTagNameMap[K] {
  // The namespace is asked of a drawing that is there, so that the file has no address in it at all.
  const made = document.createElementNS(
    document.querySelector("svg")?.namespaceURI as "http://www.w3.org/2000/svg",
    tag,
  );
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** A name from the data; its direction of writing does not reach its neighbours. */
export function createBdi(text: string): HTMLElement {
  return element("bdi", {}, text);
}

/** An element that the renderer has written, or null where the result has nothing for it. */
export function findElement<T extends HTMLElement>(selector: string): T | null {
  return document.querySelector<T>(selector);
}
