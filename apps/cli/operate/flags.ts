/** How an input is called on the command line: `--accept-differences`. */
export function flagOf(parameter: string): string {
  return `--${parameter.replaceAll('_', '-')}`;
}
