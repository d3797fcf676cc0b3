import { effect, type Signal, signal } from '@preact/signals';
import { isPrinting } from './printing.ts';

/** A choice that the browser remembers; the first one unless the visitor has chosen. */
function remembered<Choice extends string>(item: string, choices: readonly [Choice, ...Choice[]]): Signal<Choice> {
  const stored = localStorage.getItem(item);
  const choice = signal(choices.find((one) => one === stored) ?? choices[0]);
  effect(() => localStorage.setItem(item, choice.value));
  return choice;
}

export const UNITS = ['miles', 'kilometres'] as const;
export type Units = (typeof UNITS)[number];
export const units = remembered('milepost-units', UNITS);

export const THEMES = ['system', 'light', 'dark'] as const;
export const theme = remembered('milepost-theme', THEMES);

/** Lets the pages follow the theme. What is printed is always light: dark paper wastes ink. */
export function followTheme(): void {
  const root = document.documentElement;
  effect(() => {
    root.dataset['theme'] = isPrinting.value ? 'light' : theme.value;
  });
}
