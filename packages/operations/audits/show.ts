import { ROLES, type Statement } from '@milepost/postgres';
import Type, { type Static } from 'typebox';
import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Id, which } from '../schemas.ts';
import { AuditResource } from './resource.ts';

const FIND_AUDIT: Statement = {
  name: 'find-audit',
  text: 'SELECT audit_id AS id, at, position, equal, seconds, report FROM projection.audit WHERE audit_id = $1',
};

export const showAudit = operation({
  name: 'audit.show',
  method: 'GET',
  path: '/audits/:id',
  tag: 'Audits',
  summary: 'Show an audit',
  description: 'The whole report: each read table against the log, and every fault with the stored events behind it.',
  input: Type.Object({ id: Id('The id that the list of audits shows.') }),
  answer: AuditResource,
  refusals: ['audit_not_found'],
  async run({ pool, mention }, { id }) {
    const { rows } = await pool(ROLES.operator).query<Static<typeof AuditResource>>({ ...FIND_AUDIT, values: [id] });
    if (rows[0]) return { answer: rows[0] };
    throw new Refusal(
      'audit_not_found',
      `There is no audit ${which(id)}: ${mention.operation('audit.list')} lists them.`,
    );
  },
});
