// A certificate that signs itself, for the names of a test, and its key.
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const pem = (what: string, bytes: Buffer) =>
  `-----BEGIN ${what}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${what}-----\n`

/** In the form that certificates have until 2049. */
const utcTime = (at: number) =>
  der(
    0x17,
    Buffer.from(
      `${new Date(at)
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  )

/** Returns the PEM of certificate and key. `until` is the end of the validity in milliseconds since 1970. */
export function createCertificate(names: readonly string[], until = Date.now() + 86_400_000) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('a test')))))
  const alternatives = names.map((one) =>
    isIP(one) ? der(0x87, Buffer.from(one.split('.').map(Number))) : der(0x82, Buffer.from(one)),
  )
  const extension = sequence(oid('551d11'), der(0x04, sequence(...alternatives)))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(until - 2 * 86_400_000), utcTime(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    ...(names.length > 0 ? [der(0xa3, sequence(extension))] : []),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  return {
    cert: pem('CERTIFICATE', sequence(body, ecdsaWithSha256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  }
}
