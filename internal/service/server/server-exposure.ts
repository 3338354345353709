// The network address on which a server listens, and the URLs that clients may use.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { messageOf, UserError } from '../../base/errors.ts'
import { hideUrlSecrets } from '../../base/url-credentials.ts'
import { loopbackOrigins } from '../../server/http/request-guard.ts'

/** Options of the user for the network address of the server; each is optional. */
export interface ExposureWishes {
  host?: string | undefined
  tlsCert?: string | undefined
  tlsKey?: string | undefined
  /** URL of a proxy that serves this server over https. */
  behindProxy?: string | undefined
}

export interface ServerExposure {
  /** Address or host name to listen on. */
  host: string
  tls: { cert: Buffer; key: Buffer } | undefined
  /** Returns the URLs that clients may use, given the port. The first one is shown to the user. */
  origins(port: number): string[]
  /** Notices for the user who starts the server. */
  notes: readonly string[]
}

const loopback = '127.0.0.1'

/**
 * Checks the options. Returns the address, the TLS files, the allowed URLs and the notices. Throws UserError
 * for an address that other machines can reach without TLS or a proxy, and for a certificate without a key or
 * a key without a certificate. Also throws it for an unusable certificate, key or proxy URL.
 */
export function readExposure(wishes: ExposureWishes, now = Date.now()): ServerExposure {
  const { host = loopback, tlsCert, tlsKey, behindProxy } = wishes
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UserError('--tls-cert and --tls-key belong together', { hint: 'give both files' })
  const proxy = behindProxy === undefined ? undefined : readProxyOrigin(behindProxy)
  const isLocal = isLoopback(host)
  if (!isLocal && tlsCert === undefined && proxy === undefined)
    throw new UserError(`--host ${host} would send tokens and conversations in the clear to other machines`, {
      hint: 'give --tls-cert and --tls-key, or --behind-proxy https://NAME; or use a tunnel, `ssh -L`',
    })
  const pair = tlsCert === undefined ? undefined : readTlsPair(tlsCert, tlsKey as string)
  const listOrigins = (port: number) => {
    const scheme = pair ? 'https' : 'http'
    const names = pair ? namesOf(pair.certificate) : []
    const listed = [...names, ...(isAny(host) ? [] : [host.toLowerCase()])]
    const here = loopbackOrigins(port).map((origin) => origin.replace('http:', `${scheme}:`))
    const others = listed.map((name) => originOf(scheme, name, port))
    return [...others, ...here]
  }
  return {
    host,
    tls: pair && { cert: pair.cert, key: pair.key },
    origins: (port) => [...new Set([...(proxy === undefined ? [] : [proxy]), ...listOrigins(port)])],
    notes: notesOf(host, isLocal, pair?.certificate, proxy, now),
  }
}

const isAny = (host: string) => host === '0.0.0.0' || host === '::'

/** Returns true if only local programs can reach the host. */
const isLoopback = (host: string) =>
  host.toLowerCase() === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** Returns an origin as browsers write it, without the default port of the scheme. */
const originOf = (scheme: string, name: string, port: number) => {
  const usual = scheme === 'https' ? 443 : 80
  return `${scheme}://${isIP(name) === 6 ? `[${name}]` : name}${port === usual ? '' : `:${port}`}`
}

function readProxyOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' && url.pathname === '/' && url.username === '' && url.search === '')
    return url.origin
  throw new UserError(`--behind-proxy ${hideUrlSecrets(text)} is not the address of a site`, {
    hint: 'name it as browsers will: --behind-proxy https://anode.example.org',
  })
}

interface TlsPair {
  cert: Buffer
  key: Buffer
  certificate: X509Certificate
}

function readTlsPair(certPath: string, keyPath: string): TlsPair {
  const cert = readNamed('--tls-cert', certPath)
  const key = readNamed('--tls-key', keyPath)
  const certificate = parseNamed('--tls-cert', certPath, 'a certificate', () => new X509Certificate(cert))
  const secret = parseNamed('--tls-key', keyPath, 'a key without a passphrase', () => createPrivateKey(key))
  if (!certificate.checkPrivateKey(secret))
    throw new UserError(`the key in ${keyPath} is not that of the certificate in ${certPath}`, {
      hint: 'give the two files that were made together',
    })
  if (namesOf(certificate).length === 0)
    throw new UserError(`the certificate in ${certPath} is for no name`, {
      hint: 'make one with a subjectAltName: the names under which this machine is reached',
    })
  return { cert, key, certificate }
}

function readNamed(flag: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new UserError(`${flag} ${path} cannot be read: ${messageOf(cause)}`, {
      hint: 'name a PEM file',
      cause,
    })
  }
}

function parseNamed<T>(flag: string, path: string, what: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    throw new UserError(`${flag} ${path} is not ${what}`, { hint: 'it has to be a PEM file', cause })
  }
}

/**
 * Returns the names and addresses of a certificate (subjectAltName) in lower case. `*.` at the beginning of a
 * name matches one part of a host name.
 */
function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return subjectAltName
    .split(', ')
    .flatMap((entry) => /^(?:DNS|IP Address):([\w.*:-]+)$/.exec(entry)?.[1]?.toLowerCase() ?? [])
}

function notesOf(
  host: string,
  isLocal: boolean,
  certificate: X509Certificate | undefined,
  proxy: string | undefined,
  now: number,
): string[] {
  const notes: string[] = []
  if (!isLocal)
    notes.push(
      `other machines can reach this server on ${isAny(host) ? 'all addresses of this machine' : host}; ` +
        'anyone with a token has the rights of its scope, from anywhere',
    )
  if (!isLocal && proxy !== undefined && !certificate)
    notes.push('traffic between the proxy and this machine is not encrypted: use a private network')
  if (certificate && Date.parse(certificate.validTo) <= now)
    notes.push(`the certificate has expired: ${certificate.validTo}`)
  return notes
}
