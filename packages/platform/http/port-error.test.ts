import { expect, it } from 'vitest';
import { portError } from './port-error.ts';

const OTHER_HOST =
  'This machine does not have the address 10.0.0.1: set HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.';

it.each([
  ['EADDRINUSE', 'Port 80 on 10.0.0.1 is in use: stop the program that uses it, or set OPS_PORT to another port.'],
  ['EACCES', 'This user is not allowed to open port 80 on 10.0.0.1: set OPS_PORT to 1024 or above.'],
  ['EADDRNOTAVAIL', OTHER_HOST],
  ['ENOTFOUND', OTHER_HOST],
  ['EAI_AGAIN', OTHER_HOST],
  ['EMFILE', 'Cannot listen on 10.0.0.1, port 80 (OPS_PORT): No.'],
  [undefined, 'Cannot listen on 10.0.0.1, port 80 (OPS_PORT): No.'],
])('the error of a port with the code %s names the setting to change', (code, sentence) => {
  const error = Object.assign(new Error('No.'), code === undefined ? {} : { code });
  expect(portError(error, '10.0.0.1', 80, 'OPS_PORT').message).toBe(sentence);
});
