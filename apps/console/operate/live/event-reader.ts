/** An event of a stream of server-sent events. */
export interface ServerEvent {
  name: string;
  data: string;
}

/**
 * Reads events from the pieces of a stream (`text/event-stream`), wherever the pieces are cut. Comments, ids and times to
 * retry are passed over: nobody here has a use for them.
 */
export class EventReader {
  #rest = '';

  read(piece: string): ServerEvent[] {
    const blocks = `${this.#rest}${piece}`.replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const fields = block.split('\n').map((line) => /^([^:]+): ?(.*)$/.exec(line));
      const values = (name: string) => fields.flatMap((field) => (field?.[1] === name ? (field[2] ?? '') : []));
      const data = values('data');
      return data.length === 0 ? [] : [{ name: values('event').at(-1) ?? 'message', data: data.join('\n') }];
    });
  }
}
