import { signal } from '@preact/signals';

/** Whether the page is on its way to paper: tables are whole then, and all is light. */
export const isPrinting = signal(false);

// The browser takes the page as it stands once these events are over, and what they have set off at once.
addEventListener('beforeprint', () => {
  isPrinting.value = true;
});
addEventListener('afterprint', () => {
  isPrinting.value = false;
});
