import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { causeOf, type Settings } from '@milepost/service';

/** The contents of the PEM files for the brokers' CA certificate and for this client's certificate and key. */
export interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
}

const FILES = { ca: 'KAFKA_SSL_CA_FILE', cert: 'KAFKA_SSL_CERT_FILE', key: 'KAFKA_SSL_KEY_FILE' } as const;
type FileSetting = (typeof FILES)[keyof typeof FILES];

function readFile(settings: Settings, name: FileSetting): string | undefined {
  const path = settings.get(name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return settings.refuse(name, `${name} must name a file that this process can read: ${causeOf(error)}.`);
  }
}

function checkCertificate(settings: Settings, name: FileSetting, text: string | undefined): void {
  if (text === undefined) return;
  try {
    new X509Certificate(text);
  } catch {
    settings.refuse(
      name,
      `${name} must name a certificate in PEM format (-----BEGIN CERTIFICATE-----), not a keystore.`,
    );
  }
}

/** Rejects a key that is encrypted, is not in PEM format, or belongs to another certificate. */
function checkKey(settings: Settings, { cert, key }: TlsFiles): void {
  if (cert === undefined || key === undefined) return;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const rule = 'must name the private key of KAFKA_SSL_CERT_FILE, in PEM format without a passphrase';
    settings.refuse(FILES.key, `${FILES.key} ${rule}: ${causeOf(error)}.`);
  }
}

/** Reads whether connections use TLS. Returns false, true, or the contents of the certificate files. */
export function readTls(settings: Settings): boolean | TlsFiles {
  const isOn = settings.get('KAFKA_SSL') === 'true';
  const ca = readFile(settings, FILES.ca);
  const cert = readFile(settings, FILES.cert);
  const key = readFile(settings, FILES.key);
  const given = Object.values(FILES).filter((name) => settings.has(name));
  const [first] = given;
  if (first === undefined) return isOn;
  if (!isOn) settings.refuse(first, `${first} needs KAFKA_SSL=true.`);
  if (given.includes(FILES.cert) !== given.includes(FILES.key)) {
    const missing = given.includes(FILES.cert) ? FILES.key : FILES.cert;
    settings.refuse(missing, `${FILES.cert} and ${FILES.key} belong together: set both or neither.`);
  }
  checkCertificate(settings, FILES.ca, ca);
  checkCertificate(settings, FILES.cert, cert);
  const files: TlsFiles = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  checkKey(settings, files);
  return files;
}
