import { SettingError } from '@milepost/service';
import { CommanderError } from 'commander';
import { expect, it } from 'vitest';
import { exitCodeOf, sentenceOf, UsageError } from './failure.ts';

it.each([
  ['help or version', new CommanderError(0, 'commander.helpDisplayed', ''), 0],
  ['an unknown option', new CommanderError(1, 'commander.unknownOption', ''), 2],
  ['an invalid command line', new UsageError('No.'), 2],
  ['a wrong setting', new SettingError('No.'), 2],
  ['anything else', new Error('No.'), 1],
])('exitCodeOf returns the exit code for %s', (_what, error, code) => expect(exitCodeOf(error)).toBe(code));

const [first, later] = [new Error('first'), new Error('later')];

it.each([
  ['one line, whatever the message', new Error('First.\n  Second.\n'), 'First. Second.'],
  ['the cause when no address of a host responds', new AggregateError([new Error('ECONNREFUSED')]), 'ECONNREFUSED'],
  ['the error of the command, not a later one of the cleanup', new SuppressedError(later, first), 'first'],
  ['the first of several errors', new SuppressedError(later, new SuppressedError(later, first)), 'first'],
  ['the name of an error that has no message', new AggregateError([], ''), 'AggregateError'],
  ['the text of a thrown value', 'thrown', 'thrown'],
  ['nothing for an error that commander has printed', new CommanderError(1, 'commander.unknownOption', 'x'), null],
])('sentenceOf returns %s', (_what, error, sentence) => expect(sentenceOf(error)).toBe(sentence));
