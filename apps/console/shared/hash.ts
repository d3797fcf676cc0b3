import { signal } from '@preact/signals';

/** What stands behind `#` in the address. */
export const hash = signal(location.hash.slice(1));

addEventListener('hashchange', () => {
  hash.value = location.hash.slice(1);
});

/** Goes to another address, as a step in the history, or in place of this one. */
export function go(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, '', address);
    hash.value = location.hash.slice(1);
  } else location.hash = address;
}
