/**
 * SQL for a table whose rows are written anew with many trips. With room in its page, the new version of a row stands beside
 * the old one, and the next one takes the old one's place. Without room it goes to a further page, and so does an entry of
 * each index. Set with the indexes: what a replay fills before, mostly days that are over, stands close.
 */
export const leaveRoom = (table: string) => `ALTER TABLE ${table} SET (fillfactor = 55);`;
