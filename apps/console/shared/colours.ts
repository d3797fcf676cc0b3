/** The colour that a variable of the style sheets stands for at an element, as drawing functions take it. */
export function colourOf(element: Element, variable: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
