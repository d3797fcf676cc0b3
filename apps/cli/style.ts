import { styleText } from 'node:util';

type Format = 'bold' | 'red' | 'yellow' | 'green';

/** Returns a string in a style if the stream is a terminal with colours; NO_COLOR and FORCE_COLOR take precedence. */
export function styled(format: Format, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(format, text, { stream });
}
