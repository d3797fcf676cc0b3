import fastify from 'fastify';
import { expect, it } from 'vitest';
import { readOperator } from './operator.ts';

async function operatorOf(header?: Buffer): Promise<string | string[]> {
  const app = fastify();
  app.get('/', async (request) => {
    return { operator: readOperator(request) };
  });
  app.setErrorHandler(async (error) => {
    const { errors }: { errors?: { parameter: string }[] } = Object(error);
    return { operator: errors?.map(({ parameter }) => parameter) };
  });
  // Node provides headers as Latin-1.
  const headers = header === undefined ? {} : { 'milepost-operator': header.toString('latin1') };
  return (await app.inject({ url: '/', headers })).json().operator;
}

it.each([
  ['Zoë Müller', 'Zoë Müller'],
  ['  Zoë ', 'Zoë'],
  ['x'.repeat(128), 'x'.repeat(128)],
  ['🚚'.repeat(128), '🚚'.repeat(128)],
])('the name %j of an operator is read as UTF-8', async (text, name) => {
  expect(await operatorOf(Buffer.from(text))).toBe(name);
});

it.each([
  ['blanks', Buffer.from('  ')],
  ['nothing', Buffer.from('')],
  ['129 characters', Buffer.from('x'.repeat(129))],
  ['a control character', Buffer.from('a\u0085b')],
  ['bytes that are not UTF-8', Buffer.from([0x5a, 0xeb])],
])('a name with %s is refused', async (_what, header) => {
  expect(await operatorOf(header)).toEqual(['Milepost-Operator']);
});

it('a request without the header is attributed to ops-token', async () => {
  expect(await operatorOf()).toBe('ops-token');
});
