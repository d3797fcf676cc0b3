import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder, untilTestEnds } from '../fixtures.ts';
import { milepost } from '../milepost.ts';
import { kafkaJars } from '../services/kafka/jars.ts';

const KAFKA_TOOLS = {
  'kafka-topics.sh': 'TopicCommand',
  'kafka-consumer-groups.sh': 'consumer.group.ConsumerGroupCommand',
};

/** Creates a folder with the programs mentioned in the runbooks: `milepost`, and tools from Kafka's jars. */
export async function createTools(): Promise<string> {
  const jars = join(await kafkaJars(), '*');
  const { path: folder } = untilTestEnds(await openFolder());
  const java = (name: string) => `java -XX:TieredStopAtLevel=1 -cp '${jars}' ${name}`;
  const programs = {
    milepost: milepost([]).join(' '),
    'kafka-configs.sh': java('kafka.admin.ConfigCommand'),
    ...Object.fromEntries(
      Object.entries(KAFKA_TOOLS).map(([file, name]) => [file, java(`org.apache.kafka.tools.${name}`)]),
    ),
  };
  for (const [file, command] of Object.entries(programs)) {
    const path = join(folder, file);
    await writeFile(path, `#!/bin/sh\nexec ${command} "$@"\n`);
    await chmod(path, 0o755);
  }
  return folder;
}
