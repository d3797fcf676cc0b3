import { signal } from '@preact/signals';

const ITEM = 'milepost-operator';

/**
 * The operator's name for the audit trail. The name is kept until the tab is closed. If it is empty, the audit trail
 * shows only that the token was used.
 */
export const operator = signal(sessionStorage.getItem(ITEM) ?? '');

export function setOperator(name: string): void {
  sessionStorage.setItem(ITEM, name);
  operator.value = name;
}

/** A name as a header value, with one character for each byte of its UTF-8 encoding. */
export function headerText(name: string): string {
  return String.fromCharCode(...new TextEncoder().encode(name));
}
