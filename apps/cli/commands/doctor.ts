import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { databaseSettings, hasKafka, redisUrl, standbyDatabaseUrl } from '../config.ts';
import type { Check, Finding } from '../doctor/check.ts';
import { printJson, printText, styled } from '../output.ts';
import { settingsHelp } from '../settings.ts';

const NOTES = `
The command reads the settings of the processes, connects to PostgreSQL, Kafka and Redis as they do, and changes
nothing. Run it once with each process's settings. Each line is one check. If the result is not \`passed\`, the line
names the command or setting that corrects the fault. The exit code is 1 if a process would fail. Kafka, Redis and a
standby are checked if KAFKA_BROKERS, REDIS_URL and DATABASE_URL_READ are set.`;

const STYLES = { passed: 'green', warning: 'yellow', failed: 'red', skipped: 'bold' } as const;

function print({ subject, check, result, message }: Check): void {
  printText(`${styled(STYLES[result], result.padEnd(7))}  ${subject}, ${check}: ${message}`);
}

/** Yields the checks of each program that the settings mention, in the order in which Milepost needs these programs. */
async function* runChecks(): AsyncGenerator<Check> {
  const label = (subject: Check['subject'], findings: readonly Finding[]) =>
    findings.map((finding): Check => ({ subject, ...finding }));
  const { databaseUrl, home } = databaseSettings();
  const { checkMachine } = await import('../doctor/machine.ts');
  yield* label('Machine', await checkMachine(databaseUrl === undefined ? home : null));
  const { checkPostgres, checkStandby } = await import('../doctor/postgres.ts');
  const { locateDatabase } = await import('@milepost/postgres/embedded');
  const located = await locateDatabase({ databaseUrl, home });
  yield* label('PostgreSQL', await checkPostgres(located));
  const standby = standbyDatabaseUrl();
  if (standby !== undefined) yield* label('Standby', await checkStandby(standby, located));
  if (hasKafka()) {
    const { checkKafka } = await import('../doctor/kafka.ts');
    const { readKafkaConfig } = await import('@milepost/kafka/config');
    yield* label('Kafka', await checkKafka(readKafkaConfig()));
  }
  const redis = redisUrl();
  if (redis !== undefined) {
    const { checkRedis } = await import('../doctor/redis.ts');
    yield* label('Redis', await checkRedis(redis));
  }
}

/** Adds `milepost doctor`, which reports whether the processes would work with the current settings. */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check PostgreSQL, Kafka, Redis and the machine against the current settings, before the first start.')
    .option('--json', 'print {ok, checks: [{subject, check, result, message}]}')
    .addHelpText('after', NOTES)
    .addHelpText('after', settingsHelp('doctor'))
    .addHelpText('after', examples('milepost doctor', 'milepost doctor --json'))
    .action(async (options: { json?: true }) => {
      const checks: Check[] = [];
      for await (const check of runChecks()) {
        checks.push(check);
        if (!options.json) print(check);
      }
      const failed = checks.filter(({ result }) => result === 'failed').length;
      if (options.json) printJson({ ok: failed === 0, checks });
      if (failed > 0) throw new Error(`${failed} of ${checks.length} checks failed.`);
    });
}
