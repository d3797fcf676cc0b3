import { expect, it } from 'vitest';
import { firstCharacters, firstLines, shellCommand } from './request-text.ts';

it('shellCommand quotes the address for a shell, but not the variable with the key', () => {
  expect(shellCommand("https://a.example/trip/it's?page=1&x=$HOME", 'APIKEY $KEY')).toBe(
    `curl -sS 'https://a.example/trip/it'\\''s?page=1&x=$HOME' -H 'Content-Type: application/json' ` +
      '-H "Authorization: APIKEY $KEY"',
  );
});

it('firstLines returns thirty lines and the number of omitted lines', () => {
  const lines = Array.from({ length: 32 }, (_, index) => `line ${index}`);
  const thirty = lines.slice(0, 30).join('\n');
  expect(firstLines(lines.slice(0, 1))).toBe('line 0');
  expect(firstLines(lines.slice(0, 30))).toBe(thirty);
  expect(firstLines(lines.slice(0, 31))).toBe(`${thirty}\n… and 1 more of the same kind`);
  expect(firstLines(lines)).toBe(`${thirty}\n… and 2 more of the same kind`);
});

it('firstCharacters returns fifty thousand characters and the number of omitted characters', () => {
  const text = 'abcde'.repeat(10_000);
  expect(firstCharacters(text)).toBe(text);
  expect(firstCharacters(`${text}fgh`)).toBe(`${text}\n… 3 more characters are in the file.`);
});
