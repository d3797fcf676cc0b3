import { signal } from '@preact/signals';

/** The fragment of the address, without `#`. */
export const hash = signal(location.hash.slice(1));

addEventListener('hashchange', () => {
  hash.value = location.hash.slice(1);
});

/** Opens an address, as a new entry in the browser's history or instead of the current entry. */
export function navigate(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, '', address);
    hash.value = location.hash.slice(1);
  } else location.hash = address;
}
