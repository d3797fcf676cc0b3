/**
 * Returns the message that PostgreSQL sends before it ends a connection. The message contains the severity twice, the
 * code and a description. See https://www.postgresql.org/docs/18/protocol-message-formats.html.
 *
 * @param code an SQLSTATE, which has five characters
 */
export function fatalErrorResponse(code: string, message: string): Buffer {
  const fields = ['SFATAL', 'VFATAL', `C${code}`, `M${message}`];
  const body = Buffer.from(`${fields.map((field) => `${field}\0`).join('')}\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
