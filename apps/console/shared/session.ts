import { signal } from '@preact/signals';

const ITEM = 'milepost-key';

/** The visitor's key or token; null until there is one. It is kept until the tab closes, and never in an address. */
export const key = signal(sessionStorage.getItem(ITEM));

/** Why the last key was given up, as the service says it; null when it was not. */
export const refusal = signal<string | null>(null);

export function signIn(text: string): void {
  sessionStorage.setItem(ITEM, text);
  refusal.value = null;
  key.value = text;
}

/** @param reason the sentence of the service that refused the key; null when the visitor asks for it */
export function signOut(reason: string | null): void {
  sessionStorage.removeItem(ITEM);
  refusal.value = reason;
  key.value = null;
}
