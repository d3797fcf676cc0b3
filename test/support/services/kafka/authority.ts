import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A private certificate authority that writes signed certificates to files in a folder. */
export class Authority {
  readonly #folder: string;
  readonly #name: string;

  constructor(folder: string, name = 'authority') {
    this.#folder = folder;
    this.#name = name;
    this.#create(name, []);
  }

  /** The file with the authority's own certificate. */
  get file(): string {
    return join(this.#folder, `${this.#name}.crt`);
  }

  /** Creates a key and a certificate for 127.0.0.1 and ::1. `pem` is the path of a file that contains both. */
  sign(name: string): { cert: string; key: string; pem: string } {
    const authority = ['-CA', this.file, '-CAkey', join(this.#folder, `${this.#name}.key`)];
    const names = ['-addext', 'subjectAltName=IP:127.0.0.1,IP:::1', '-addext', 'basicConstraints=CA:FALSE'];
    const { cert, key } = this.#create(name, [...authority, ...names]);
    const pem = join(this.#folder, `${name}.pem`);
    writeFileSync(pem, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'));
    return { cert, key, pem };
  }

  #create(name: string, words: readonly string[]): { cert: string; key: string } {
    const [cert, key] = [join(this.#folder, `${name}.crt`), join(this.#folder, `${name}.key`)];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', [...request, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert, ...words], {
      stdio: 'pipe',
    });
    return { cert, key };
  }
}
