import Type from 'typebox';
import { expect, it } from 'vitest';
import { argumentsOf, commandOf, flagOf, namesInPath, operation } from './operation.ts';

it('the words, arguments and flags of a command follow from the definition', () => {
  expect(namesInPath('/drivers/:fleet_id/:driver_id/trace')).toEqual(['fleet_id', 'driver_id']);
  expect(namesInPath('/status')).toEqual([]);
  expect(argumentsOf({ path: '/replays/:id/pause' })).toEqual(['id']);
  expect(argumentsOf({ path: '/drivers/:fleet_id', arguments: [] })).toEqual([]);
  expect(commandOf({ name: 'replay.pause' })).toBe('replay pause');
  expect(commandOf({ name: 'audit.start', command: 'audit' })).toBe('audit');
  const flags = ['accept_differences', 'fleet_id', 'ids', 'rate_limit_per_minute'].map(flagOf);
  expect(flags).toEqual(['--accept-differences', '--fleet', '--ids', '--rate-limit-per-minute']);
});

it('an operation that changes something is a POST, unless it names another method', () => {
  const common = {
    name: 'keys.list',
    path: '/keys',
    summary: 'List',
    description: 'Lists.',
    input: Type.Object({}),
    answer: Type.Null(),
    run: async () => ({ answer: null }),
  };
  expect(operation(common).method).toBe('GET');
  expect(operation({ ...common, change: 'personal' }).method).toBe('POST');
  expect(operation({ ...common, change: 'recorded', method: 'DELETE' }).method).toBe('DELETE');
});
