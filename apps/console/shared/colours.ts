/** The colour that a variable of the style sheets stands for at an element, as drawing functions take it. */
export function colourOf(element: Element, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Calls `redraw` when the colours of the page have changed: by choice, with the system's, or for paper. Returns its end. */
export function followColours(redraw: () => void): () => void {
  const themes = new MutationObserver(redraw);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', redraw);
  return () => {
    themes.disconnect();
    dark.removeEventListener('change', redraw);
  };
}
