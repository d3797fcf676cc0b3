import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a private certificate authority that writes signed certificates to files in a folder. */
export function createAuthority(folder: string) {
  const create = (name: string, words: readonly string[]) => {
    const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    execFileSync('openssl', [...request, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert, ...words], {
      stdio: 'pipe',
    });
    return { cert, key };
  };
  const own = create('authority', []);
  return {
    /** The file with the authority's own certificate. */
    file: own.cert,
    /** Creates a key and a certificate for 127.0.0.1 and ::1. `pem` is the path of a file that contains both. */
    sign: (name: string) => {
      const names = ['-addext', 'subjectAltName=IP:127.0.0.1,IP:::1', '-addext', 'basicConstraints=CA:FALSE'];
      const { cert, key } = create(name, ['-CA', own.cert, '-CAkey', own.key, ...names]);
      const pem = join(folder, `${name}.pem`);
      writeFileSync(pem, readFileSync(key, 'utf8') + readFileSync(cert, 'utf8'));
      return { cert, key, pem };
    },
  };
}
