/** A server-sent event. */
export interface ServerEvent {
  name: string;
  data: string;
}

/** Parses a stream (`text/event-stream`) whose chunks may end anywhere. Ignores comments, ids and retry times. */
export class EventReader {
  #rest = '';

  read(chunk: string): ServerEvent[] {
    const blocks = `${this.#rest}${chunk}`.replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = block.split('\n').map((line) => /^([^:]+): ?(.*)$/.exec(line));
      const values = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []));
      const data = values('data');
      return data.length === 0 ? [] : [{ name: values('event').at(-1) ?? 'message', data: data.join('\n') }];
    });
  }
}
