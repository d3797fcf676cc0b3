import { ROLES, type Statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { nextBefore, nullable, pageInputs, pageOf } from '../schemas.ts';
import { auditSummary } from './resource.ts';

const USUAL = 50;

const ListedAudit = Type.Object({
  ...auditSummary,
  projection: nullable(Type.String({ description: 'The only projection looked at; null: all.' })),
  faults: Type.Integer({ description: 'How many were found.' }),
});

const LIST_AUDITS: Statement = {
  name: 'list-audits-in-short',
  text: `SELECT audit_id AS id, at, position, equal, seconds, report ->> 'projection' AS projection,
           jsonb_array_length(report -> 'faults') AS faults
         FROM projection.audit WHERE audit_id < coalesce($1, 9223372036854775807) ORDER BY audit_id DESC LIMIT $2`,
};

export const listAudits = operation({
  name: 'audit.list',
  method: 'GET',
  path: '/audits',
  tag: 'Audits',
  summary: 'List audits',
  description: 'What was recounted when, and whether all was as it should be. Newest first.',
  input: Type.Object(pageInputs(1_000, USUAL)),
  answer: Type.Object({ audits: Type.Array(ListedAudit), next_before: nextBefore }),
  async run({ pool }, { limit = USUAL, before = null }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      const values = [before, most];
      return (await pool(ROLES.operator).query<Static<typeof ListedAudit>>({ ...LIST_AUDITS, values })).rows;
    });
    return { answer: { audits: entries, next_before } };
  },
});
