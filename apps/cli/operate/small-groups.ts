import type { createKey, revokeKey } from '@milepost/operations/keys';
import type { listSetAside, putBack, setAside } from '@milepost/operations/positions';
import type { runRetention } from '@milepost/operations/retention';
import type { cancelSession, listSessions } from '@milepost/operations/sessions';
import { acceptedInWords, type acceptSource } from '@milepost/operations/sources';
import { InvalidArgumentError } from 'commander';
import type { Static } from 'typebox';
import { laneOption } from '../client/command-line.ts';
import { printFields, printJson, printText, say, styled } from '../output.ts';
import type { PresentationOf, Presentations } from './command.ts';

/** Returns the presentation of a change to a position. Until the read tables are built again, they do what `rows` says. */
function positionChange(done: string, rows: string): PresentationOf<typeof setAside | typeof putBack> {
  return {
    print({ position, needs_replay }, { lane }) {
      const command = `milepost replay start all --promote --accept-differences${laneOption(lane)}`;
      const next = needs_replay ? ` The read tables ${rows}: \`${command}\` builds them again.` : '';
      printText(`Position ${position} ${done}.${next}`);
    },
  };
}

type Source = Pick<Static<typeof acceptSource.input>, 'topic' | 'partition'>;

function source(text: string, previous: Source[] = []): Source[] {
  const [, topic, partition] = /^([\w.-]{1,249})\/(\d{1,9})$/.exec(text) ?? [];
  if (topic === undefined)
    throw new InvalidArgumentError('It must be a topic and a partition, such as milepost.trips/0.');
  return [...previous, { topic, partition: Number(partition) }];
}

/** How the groups that have no file of their own present their results. */
export const presentations: Presentations = {
  'keys.create': {
    examples: [
      'milepost keys create --fleet sunrise-delivery',
      "milepost keys create --fleet sunrise-delivery --name 'billing export' --expires 2030-01-31",
      'milepost keys create --fleet sunrise-delivery --rate-limit-per-minute 600',
    ],
    async run({ call }, { json }) {
      const { answer: created } = await call();
      if (json) printJson(created);
      else printText(created.key);
      if (created.warning !== null) say(`milepost: warning: ${styled('yellow', created.warning, process.stderr)}`);
    },
  } satisfies PresentationOf<typeof createKey>,
  'keys.revoke': {
    examples: ['milepost keys revoke key_1f6e0a52'],
    async run({ call, input }) {
      await call();
      say(`The API key ${input.id} has been revoked.`);
    },
  } satisfies PresentationOf<typeof revokeKey>,
  'positions.list': { noun: 'positions set aside' } satisfies PresentationOf<typeof listSetAside>,
  'positions.set-aside': positionChange('is set aside', 'still show it'),
  'positions.put-back': positionChange('is put back', 'do not show it yet'),
  'retention.run': {
    json: '{accepted}',
    async run({ call }, { json }) {
      await call();
      if (json) printJson({ accepted: true });
      say('Retention runs when a worker is free. `milepost replay list` shows the replays that it starts.');
    },
  } satisfies PresentationOf<typeof runRetention>,
  'sessions.list': {
    print({ connections, max_connections, sessions }) {
      say(`${connections} of ${max_connections} connections are in use.`);
      printFields(sessions, ['pid', 'login', 'application', 'state', 'waits_for', 'seconds', 'statement']);
    },
  } satisfies PresentationOf<typeof listSessions>,
  'sessions.cancel': {
    examples: ['milepost sessions cancel 4711'],
    print({ pid, ended }) {
      say(
        ended === 'statement'
          ? `The statement of session ${pid} has been cancelled.`
          : `Session ${pid} has been closed.`,
      );
    },
  } satisfies PresentationOf<typeof cancelSession>,
  'sources.accept': {
    own: ['topic', 'partition'],
    options: (command) => command.argument('<sources...>', 'TOPIC/PARTITION', source),
    inputs: ({ sources, ...others }) => (Array.isArray(sources) ? sources.map((each) => ({ ...each, ...others })) : []),
    json: '{topic, partition, abandoned_offset, next_offset} for each',
    examples: ['milepost sources accept milepost.trips/0 milepost.trips/1 --from beginning'],
    async run({ call, inputs }, { json }) {
      for (const input of inputs) {
        const { answer } = await call(input);
        if (json) printJson(answer);
        else printText(acceptedInWords(answer));
      }
    },
  } satisfies PresentationOf<typeof acceptSource>,
};
