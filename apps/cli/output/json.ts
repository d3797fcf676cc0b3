/** Writes a result for programs to stdout: one JSON document, readable by people too. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
