import { signal } from '@preact/signals';

const ITEM = 'milepost-key';

/**
 * The reader's key or token; null until the reader signs in. The key or token is kept until the tab is closed and never
 * appears in a URL.
 */
export const key = signal(sessionStorage.getItem(ITEM));

/** Why the service refused the last key; null if it was not refused. */
export const refusal = signal<string | null>(null);

export function signIn(text: string): void {
  sessionStorage.setItem(ITEM, text);
  refusal.value = null;
  key.value = text;
}

/** @param reason why the service refused the key; null if the reader signs out */
export function signOut(reason: string | null): void {
  sessionStorage.removeItem(ITEM);
  refusal.value = reason;
  key.value = null;
}
