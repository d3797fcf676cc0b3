import { expect, it } from 'vitest';
import { refusal } from './listen.ts';

it.each([
  ['EADDRINUSE', 'Port 80 on 10.0.0.1 is in use: stop the program that uses it, or set OPS_PORT to another port.'],
  ['EACCES', 'This user is not allowed to open port 80 on 10.0.0.1: set OPS_PORT to 1024 or above.'],
  [
    'EADDRNOTAVAIL',
    'This machine does not have the address 10.0.0.1: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.',
  ],
  [
    'ENOTFOUND',
    'This machine does not have the address 10.0.0.1: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.',
  ],
  [
    'EAI_AGAIN',
    'This machine does not have the address 10.0.0.1: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.',
  ],
  ['EMFILE', null],
  [undefined, null],
])('the refusal of a port with the code %s names the setting to change', (code, sentence) => {
  expect(refusal(code, '10.0.0.1', 80, 'OPS_PORT')).toBe(sentence);
});
