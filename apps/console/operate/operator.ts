import { signal } from '@preact/signals';

const ITEM = 'milepost-operator';

/**
 * The operator's name for the audit trail, which is kept until the tab is closed. If it is empty, the audit trail only
 * shows that the token was used.
 */
export const operator = signal(sessionStorage.getItem(ITEM) ?? '');

export function setOperator(name: string): void {
  sessionStorage.setItem(ITEM, name);
  operator.value = name;
}

/** A name as a header value, with one character for each byte of the name in UTF-8. */
export function headerText(name: string): string {
  return String.fromCharCode(...new TextEncoder().encode(name));
}
