import type { Role } from './roles.ts';
import type { Transaction } from './transaction.ts';

/** Sets the role until the end of the transaction. The session's login must be a member of the role. */
export async function actAs(transaction: Transaction, role: Role): Promise<void> {
  await transaction.run(`SET LOCAL ROLE ${role}`);
}
