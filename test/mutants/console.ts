import type { Mutant } from './support/mutant.ts';

const RATES = ['apps/console/operate/live/rates.test.ts'];
const FORMAT = ['apps/console/shared/format.test.ts'];

export const CONSOLE: readonly Mutant[] = [
  {
    name: 'The chart hides a projection that stands still.',
    file: 'apps/console/operate/live/rates.ts',
    find: 'Math.min(head_position, ...projections.map(({ checkpoint }) => checkpoint))',
    replace: 'Math.max(0, ...projections.map(({ checkpoint }) => checkpoint))',
    tests: RATES,
  },
  {
    name: 'The chart shows a decrease as a negative rate.',
    file: 'apps/console/operate/live/rates.ts',
    find: 'grown < 0 ? null : ',
    replace: '',
    tests: RATES,
  },
  {
    name: 'The chart keeps all observations.',
    file: 'apps/console/operate/live/rates.ts',
    find: 'before.filter(({ at }) => at > observation.at - WINDOW_MILLISECONDS)',
    replace: 'before',
    tests: RATES,
  },
  {
    name: 'The current rate is the mean over all observations.',
    file: 'apps/console/operate/live/rates.ts',
    find: 'observations.find(({ at }) => at >= last.at - 30_000)',
    replace: 'observations[0]',
    tests: RATES,
  },
  {
    name: 'The charts mix the figures of two lanes.',
    file: 'apps/console/operate/live/follow-status.ts',
    find: '      observations.value = [];\n',
    replace: '',
    tests: ['test/browser/operate-lanes.test.ts'],
    only: 'computes no rate from the figures of two lanes',
  },
  {
    name: 'One click erases a driver permanently.',
    file: 'apps/console/operate/erasure-view.tsx',
    find: '      typed={driverId}\n',
    replace: '',
    tests: ['test/browser/operate-journeys.test.ts'],
    only: 'erases a driver after a preview and the typed id',
  },
  {
    name: 'The bytes of a field with ~1 in its name are not marked.',
    file: 'apps/console/operate/dead-letters/bytes.ts',
    find: ".replaceAll('~1', '/').replaceAll('~0', '~')",
    replace: ".replaceAll('~0', '~').replaceAll('~1', '/')",
    tests: ['apps/console/operate/dead-letters/bytes.test.ts'],
  },
  {
    name: "The week that ends with a driver's first day is not loaded.",
    file: 'apps/console/explore/periods.ts',
    find: 'last >= firstTravelDate',
    replace: 'last > firstTravelDate',
    tests: ['apps/console/explore/periods.test.ts'],
  },
  {
    name: 'A speed in kilometres per hour has the number of miles per hour.',
    file: 'apps/console/shared/format.ts',
    find: 'decimal(distanceIn(units, milesPerHour), 0)',
    replace: 'decimal(milesPerHour, 0)',
    tests: FORMAT,
  },
  {
    name: 'A rate per 100 kilometres is higher than the rate per 100 miles.',
    file: 'apps/console/shared/format.ts',
    find: 'per100Miles / KILOMETRES_PER_MILE',
    replace: 'per100Miles * KILOMETRES_PER_MILE',
    tests: FORMAT,
  },
  {
    name: 'The minutes of an hour have one digit.',
    file: 'apps/console/shared/format.ts',
    find: "String(minutes % 60).padStart(2, '0')",
    replace: 'String(minutes % 60)',
    tests: FORMAT,
  },
  {
    name: 'A month has the name of the next month.',
    file: 'apps/console/shared/calendar-text.ts',
    find: "MONTHS[Number(date.slice(5, 7)) - 1] ?? ''",
    replace: "MONTHS[Number(date.slice(5, 7))] ?? ''",
    tests: ['apps/console/shared/calendar-text.test.ts'],
  },
  {
    name: 'A promotion in advance accepts differences that nobody has seen.',
    file: 'apps/console/operate/replays/actions.tsx',
    find: 'changes.promoteReplay(id, isAccepted)',
    replace: 'changes.promoteReplay(id, !isUnexpected || isAccepted)',
    tests: ['test/browser/operate-journeys.test.ts'],
    only: 'promotes a running replay in advance',
  },
  {
    name: 'A dialog that was closed with Escape takes a moment until it can be opened again.',
    file: 'apps/console/operate/confirm.tsx',
    find: 'event.preventDefault();\n        onClose();',
    replace: '',
    tests: ['test/browser/keyboard.test.ts'],
    only: 'immediately after it was closed',
  },
];
