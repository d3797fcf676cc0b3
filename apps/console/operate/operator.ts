import { signal } from '@preact/signals';

const ITEM = 'milepost-operator';

/** Who acts, for the audit trail; empty: the holder of the token. Kept until the tab closes. */
export const operator = signal(sessionStorage.getItem(ITEM) ?? '');

export function nameOperator(name: string): void {
  sessionStorage.setItem(ITEM, name);
  operator.value = name;
}

/** A name as the value of a header: its bytes as UTF-8, each as a character. */
export function headerText(name: string): string {
  return String.fromCharCode(...new TextEncoder().encode(name));
}
