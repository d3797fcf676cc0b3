import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { type Environment, flag, messageOf, optionalText, refuse, type SettingName } from '@milepost/service';

/** The contents of PEM files: the CA of the brokers, and the certificate of this client. */
export interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
}

const FILES = { ca: 'KAFKA_SSL_CA_FILE', cert: 'KAFKA_SSL_CERT_FILE', key: 'KAFKA_SSL_KEY_FILE' } as const;

function readFile(environment: Environment, name: SettingName): string | undefined {
  const path = optionalText(environment, name);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    refuse(name, `${name} must name a file that this process can read: ${messageOf(error)}.`);
    return undefined;
  }
}

function checkCertificate(name: SettingName, text: string | undefined): void {
  if (text === undefined) return;
  try {
    new X509Certificate(text);
  } catch {
    refuse(name, `${name} must name a certificate in PEM format (-----BEGIN CERTIFICATE-----), not a keystore.`);
  }
}

/** Refuses a key that is encrypted, is not PEM, or belongs to another certificate. */
function checkKey({ cert, key }: TlsFiles): void {
  if (cert === undefined || key === undefined) return;
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const rule = 'must name the private key of KAFKA_SSL_CERT_FILE, in PEM format without a passphrase';
    refuse('KAFKA_SSL_KEY_FILE', `KAFKA_SSL_KEY_FILE ${rule}: ${messageOf(error)}.`);
  }
}

/** Reads whether connections use TLS. Returns false, true, or the contents of the certificate files. */
export function readTls(environment: Environment): boolean | TlsFiles {
  const isOn = flag(environment, 'KAFKA_SSL', false);
  const ca = readFile(environment, FILES.ca);
  const cert = readFile(environment, FILES.cert);
  const key = readFile(environment, FILES.key);
  const given = Object.values(FILES).filter((name) => optionalText(environment, name) !== undefined);
  const [first] = given;
  if (first === undefined) return isOn;
  if (!isOn) refuse(first, `${first} needs KAFKA_SSL=true.`);
  if (given.includes(FILES.cert) !== given.includes(FILES.key)) {
    const missing = given.includes(FILES.cert) ? FILES.key : FILES.cert;
    refuse(missing, `${FILES.cert} and ${FILES.key} need each other: set both or neither.`);
  }
  checkCertificate(FILES.ca, ca);
  checkCertificate(FILES.cert, cert);
  const files: TlsFiles = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  checkKey(files);
  return files;
}
