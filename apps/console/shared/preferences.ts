import { effect, type Signal, signal } from '@preact/signals';
import { isPrinting } from './printing.ts';

/** A preference that the browser stores. The first option is the default. */
function storedPreference<Option extends string>(
  item: string,
  options: readonly [Option, ...Option[]],
): Signal<Option> {
  const stored = localStorage.getItem(item);
  const preference = signal(options.find((option) => option === stored) ?? options[0]);
  effect(() => localStorage.setItem(item, preference.value));
  return preference;
}

export const UNITS = ['miles', 'kilometres'] as const;
export type Units = (typeof UNITS)[number];
export const units = storedPreference('milepost-units', UNITS);

export const THEMES = ['system', 'light', 'dark'] as const;
export const theme = storedPreference('milepost-theme', THEMES);

/** Applies the theme to the page. Print is always light, because dark paper wastes ink. */
export function applyTheme(): void {
  const root = document.documentElement;
  effect(() => {
    root.dataset['theme'] = isPrinting.value ? 'light' : theme.value;
  });
}
