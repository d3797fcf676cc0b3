import Type from 'typebox';
import { FLEET_ID } from '../ids.ts';

/**
 * The rules for individual fields. Every `description` completes the sentence "The field must be ...". Patterns are
 * published, so they use only what every implementation of JSON Schema supports. Here, they count code points.
 */

/** Any character except U+0000 and lone surrogates, which PostgreSQL cannot store as text. */
const STORABLE = '[^\\u0000\\ud800-\\udfff]';
/** Any storable character except control characters. */
const PRINTABLE = '[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]';

/**
 * The rule for ids that appear as a segment of a URL path. No request could name the ids `.` and `..`, because a URL
 * parser removes these segments, even if they are percent-encoded. The rule is a keyword rather than a lookahead in the
 * pattern, because not every implementation of JSON Schema supports lookaheads.
 */
const NOT_DOT_SEGMENT = { not: { enum: ['.', '..'] } };

export const fleetId = Type.String({
  pattern: FLEET_ID.source,
  description: 'a string of 1 to 64 letters A-Z and a-z, digits, _ and -',
});

export const sourceTripId = Type.String({
  pattern: `^${STORABLE}{1,128}$`,
  description: 'a string of 1 to 128 characters, without U+0000 or lone surrogates',
});

export const driverId = Type.String({
  pattern: `^${PRINTABLE}{1,256}$`,
  ...NOT_DOT_SEGMENT,
  description:
    'a string of 1 to 256 characters, without control characters or lone surrogates, and not "." or "..", which cannot be a segment of a URL path',
});

export const trackingId = Type.Optional(
  Type.Union([Type.Null(), Type.String({ pattern: `^${STORABLE}{1,256}$`, ...NOT_DOT_SEGMENT })], {
    description:
      'null or a string of 1 to 256 characters, without U+0000 or lone surrogates, and not "." or "..", which cannot be a segment of a URL path',
  }),
);

export const optionalText = Type.Optional(
  Type.Union([Type.Null(), Type.String({ pattern: `^${STORABLE}{1,256}$` })], {
    description: 'null or a string of 1 to 256 characters, without U+0000 or lone surrogates',
  }),
);

export const revision = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an integer from 1 to 9007199254740991',
});

export const insurancePeriod = Type.Optional(
  Type.Union([Type.Null(), Type.Literal(1), Type.Literal(2), Type.Literal(3)], { description: 'null, 1, 2 or 3' }),
);

export const tripTime = Type.Integer({
  minimum: 1_000_000_000_000,
  maximum: 9_999_999_999_999,
  description: 'an integer of 13 digits (epoch milliseconds)',
});

export const timestamp = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an integer (epoch milliseconds) from -9007199254740991 to 9007199254740991',
});

export const count = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'an integer from 0 to 9007199254740991',
});

export const amount = Type.Number({ minimum: 0, description: 'a finite number of at least 0' });

export const finiteNumber = Type.Number({ description: 'a finite number' });

export const latitude = Type.Number({ minimum: -90, maximum: 90, description: 'a number from -90 to 90' });

export const longitude = Type.Number({ minimum: -180, maximum: 180, description: 'a number from -180 to 180' });

export const kind = <const Name extends string>(name: Name) => Type.Literal(name, { description: `"${name}"` });
