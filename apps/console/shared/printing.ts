import { signal } from '@preact/signals';

/** Whether the page is being printed. Tables then show all rows, and colours are light. */
export const isPrinting = signal(false);

// After these events, the browser prints the page in its current state, with the synchronous effects of the signal.
addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
addEventListener('afterprint', () => {
  isPrinting.value = false;
});
