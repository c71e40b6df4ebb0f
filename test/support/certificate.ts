/** A certificate that signs itself, in DER (RFC 5280, ITU-T X.690), so that no private key lies among the files. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const [INTEGER, BIT_STRING, OCTET_STRING, OBJECT_ID, UTF8_STRING, TIME, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x18, 0x30, 0x31] as const;
const [VERSION, EXTENSIONS, DNS_NAME, IP_ADDRESS] = [0xa0, 0xa3, 0x82, 0x87] as const;

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), content]);
}

const ids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
} as const;

function objectId(name: keyof typeof ids): Buffer {
  return der(OBJECT_ID, Buffer.from(ids[name], 'hex'));
}

/** For `localhost` and 127.0.0.1, for as long as years have four digits. */
export function selfSigned(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, objectId('ecdsaWithSha256'));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, objectId('commonName'), der(UTF8_STRING, Buffer.from('localhost')))));
  const valid = der(SEQUENCE, der(TIME, Buffer.from('20000101000000Z')), der(TIME, Buffer.from('99991231235959Z')));
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from('localhost')), der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])));
  const extensions = der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, objectId('subjectAltName'), der(OCTET_STRING, names))));
  const version = der(VERSION, der(INTEGER, Buffer.from([2])));
  const body = der(SEQUENCE, version, der(INTEGER, Buffer.from([1])), algorithm, name, valid, name, exported(publicKey), extensions);
  const signature = createSign('sha256').update(body).sign(privateKey);
  const certificate = der(SEQUENCE, body, algorithm, der(BIT_STRING, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function exported(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' });
}
