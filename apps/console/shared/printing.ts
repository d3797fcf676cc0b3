import { signal } from '@preact/signals';

/** Whether the page is being printed. During printing, tables show all rows and colours are light. */
export const isPrinting = signal(false);

// After `beforeprint`, the browser prints the page at once; setting the signal updates the page synchronously.
addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
addEventListener('afterprint', () => {
  isPrinting.value = false;
});
