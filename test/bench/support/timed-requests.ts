import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';

/** A consumer with one connection, which sends the next request when the last response is complete. */
export class Reader {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(base: string, headers: Record<string, string>) {
    this.#base = base;
    this.#headers = headers;
  }

  /** Returns the body at a path. Rejects when the status is not a success. */
  get(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = get(this.#base + path, { agent: this.#agent, headers: this.#headers }, (answer) => {
        text(answer).then((body) => {
          if (answer.statusCode === 200) resolve(body);
          else reject(new Error(`${path}: ${answer.statusCode} ${body}`));
        }, reject);
      });
      request.on('error', reject);
    });
  }

  /** Requests the paths one after another. Returns how many milliseconds each request took. */
  async milliseconds(paths: readonly string[]): Promise<number[]> {
    const times: number[] = [];
    for (const path of paths) {
      const start = performance.now();
      await this.get(path);
      times.push(performance.now() - start);
    }
    return times;
  }

  close(): void {
    this.#agent.destroy();
  }
}
