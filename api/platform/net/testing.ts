import { generateKeyPairSync, sign } from 'node:crypto'

/** An element of DER (X.690 §8.1): a tag, a length in the fewest bytes, what is in it. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), body])
}

const [SEQUENCE, SET, INTEGER, BITS, OID, TEXT, TIME] = [0x30, 0x31, 0x02, 0x03, 0x06, 0x0c, 0x17]
const commonName = der(OID, Buffer.from('550403', 'hex'))
const ecdsaWithSha256 = der(SEQUENCE, der(OID, Buffer.from('2a8648ce3d040302', 'hex')))

/** A new key and a self-signed certificate, for a server of HTTPS (RFC 5280 §4.1, version 1). */
export function givenCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, commonName, der(TEXT, Buffer.from('test')))))
  const times = ['200101000000Z', '491231235959Z'].map((time) => der(TIME, Buffer.from(time)))
  const signed = der(
    SEQUENCE,
    der(INTEGER, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    der(SEQUENCE, ...times),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(BITS, Buffer.from([0]), sign('sha256', signed, privateKey))
  const base64 = der(SEQUENCE, signed, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
