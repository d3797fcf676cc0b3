import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEAD_LETTER_REASONS } from '@milepost/domain/dead-letter-reasons';
import { RECORD_KINDS, recordSchema } from '@milepost/domain/record-schemas';
import { WARNINGS } from '@milepost/domain/record-warnings';
import { describe, expect, it } from 'vitest';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { ROOT } from '../support/milepost.ts';
import { openPipeline } from '../support/pipeline.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const DOCUMENTS = ['records.md', 'mapping.md'].map((name) => {
  const text = readFileSync(join(ROOT, 'docs', name), 'utf8');
  return { name, text, steps: readmeSteps(text) };
});
const [RECORDS] = DOCUMENTS;

interface Schema {
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  items?: Schema;
}

/** Returns a schema's fields, including those of nested schemas. */
function fieldsOf(schema: Schema): { name: string; required: boolean; description: string }[] {
  const { properties = {}, required = [], anyOf = [], items } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { name, required: required.includes(name), description: field.description ?? '' },
    ...fieldsOf(field),
  ]);
  return [...own, ...[...anyOf, ...(items ? [items] : [])].flatMap(fieldsOf)];
}

/**
 * In the schema, these fields differ between types of trip events. In the document, each of them has one row for all
 * types.
 */
const BY_TYPE = ['event_type', 'event_name', 'event_data'];

describe('docs/records.md', () => {
  it.each(RECORD_KINDS)('contains a row for each field of %s with the description from the schema', (kind) => {
    const schema: Schema = recordSchema(kind);
    for (const { name, required, description } of fieldsOf(schema)) {
      const [meaning, rule = ''] = description.split(/ ?Must be /);
      const row = `| \`${name}\` | ${required ? 'yes' : 'no'} | ${rule.replace(/\.$/, '')} | ${meaning} |`;
      expect(RECORDS?.text).toContain(BY_TYPE.includes(name) ? `| ${meaning} |` : row);
    }
  });

  it('contains a row for each reason and each warning', () => {
    for (const [code, meaning] of Object.entries({ ...DEAD_LETTER_REASONS, ...WARNINGS })) {
      expect(RECORDS?.text).toContain(`| \`${code}\` | ${meaning} |`);
    }
  });
});

describeWithPostgres('each command in', () => {
  describe.each(DOCUMENTS)('docs/$name', ({ steps }) => {
    const folder = perSuite(openFolder);
    const pipeline = perSuite(openPipeline);
    const shell = perSuite(async () => {
      const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
      return new Shell(folder.path, { ...process.env, PATH: path, DATABASE_URL: pipeline.url });
    });

    it.each(steps)('runs: $command', async ({ command, answer }) => {
      const output = await shell.run(command.replaceAll('npx milepost', `node ${join(ROOT, 'apps/cli/main.ts')}`));
      if (answer !== null) expect(JSON.parse(output)).toEqual(JSON.parse(answer));
    });
  });
});
