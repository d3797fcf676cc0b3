/** The value of a CSS colour variable at an element, in the form that drawing functions accept. */
export function colourOf(element: Element, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * Calls `redraw` whenever the reader, the system or the printer changes the colours. Returns a function that stops
 * the calls.
 */
export function observeColours(redraw: () => void): () => void {
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  return () => {
    themes.disconnect();
    dark.removeEventListener('change', redraw);
  };
}
