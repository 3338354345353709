// Signatures of requests and answers as the Standard Webhooks specification has them: HMAC with SHA-256.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Header names of a signed message. */
const idHeader = 'webhook-id'
const timeHeader = 'webhook-timestamp'
const signatureHeader = 'webhook-signature'

/** Maximum difference, in seconds, between the time of an accepted message and now. */
export const maxSkewSeconds = 600

/** Returns the key of a secret: decoded Base64 after `whsec_`, else the bytes of the text. */
export function readWebhookSecret(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

/** Returns the headers of a signed message. `now` is in milliseconds since 1970. */
export function signMessage(key: Buffer, id: string, body: string, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1000))
  return {
    [idHeader]: id,
    [timeHeader]: time,
    [signatureHeader]: `v1,${computeDigest(key, id, time, body).toString('base64')}`,
  }
}

/**
 * Returns why a message is rejected: it is not signed, its time is invalid or more than ten minutes from
 * `now`, or the signature does not match. Undefined for an accepted message. Header names must be in lower
 * case. `now` is in milliseconds since 1970.
 */
export function findSignatureFault(
  key: Buffer,
  headers: Readonly<Record<string, string>>,
  body: string,
  now: number,
): string | undefined {
  const { [idHeader]: id, [timeHeader]: time, [signatureHeader]: signatures } = headers
  if (id === undefined || time === undefined || signatures === undefined) return 'it is not signed'
  if (!/^\d{1,12}$/.test(time)) return 'the time of its signature is invalid'
  if (Math.abs(now / 1000 - Number(time)) > maxSkewSeconds) return 'its signature is of another time'
  const expected = computeDigest(key, id, time, body)
  const fits = signatures.split(' ').some((one) => {
    const [version, value = ''] = one.split(',')
    const signature = Buffer.from(value, 'base64')
    return version === 'v1' && signature.length === expected.length && timingSafeEqual(signature, expected)
  })
  return fits ? undefined : 'its signature is wrong'
}

const computeDigest = (key: Buffer, id: string, time: string, body: string) =>
  createHmac('sha256', key).update(`${id}.${time}.${body}`).digest()
