import { run } from './command.ts';

/** The output of `milepost doctor --json`. */
export interface Report {
  ok: boolean;
  checks: { subject: string; check: string; result: string; message: string }[];
}

/** Runs `milepost doctor --json`. */
export async function diagnose(
  settings: Record<string, string>,
): Promise<Report & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await run(['doctor', '--json'], settings);
  return { ...JSON.parse(stdout), code, stderr };
}

/** Returns the checks of a subject that did not pass, each as `result check: message`. */
export function faults(report: Report, subject: string): string[] {
  return linesOf(report, subject).filter((line) => !line.startsWith('passed '));
}

/** Returns all checks of a subject, each as `result check: message`. */
export function linesOf({ checks }: Report, subject: string): string[] {
  return checks
    .filter((each) => each.subject === subject)
    .map(({ result, check, message }) => `${result} ${check}: ${message}`);
}
