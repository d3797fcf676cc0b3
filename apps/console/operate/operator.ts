import { signal } from '@preact/signals';

const ITEM = 'milepost-operator';

/**
 * The operator's name for the audit trail. If it is empty, the audit trail names the token. The tab keeps the name
 * until the tab is closed.
 */
export const operator = signal(sessionStorage.getItem(ITEM) ?? '');

export function setOperator(name: string): void {
  sessionStorage.setItem(ITEM, name);
  operator.value = name;
}

/** A name as the value of a header: one character for each byte of its UTF-8 form. */
export function headerText(name: string): string {
  return String.fromCharCode(...new TextEncoder().encode(name));
}
