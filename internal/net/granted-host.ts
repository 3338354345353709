// Host names for which a call can request network access in its sandbox, parsed strictly
// and compared exactly.
import { isIP } from 'node:net'
import { FailureError } from '../base/errors.ts'

export interface GrantedHost {
  /** Host name in lower case, without a dot at the end. */
  name: string
  /** Granted port. Undefined: ports 80 and 443 are granted. */
  port: number | undefined
}

const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/**
 * Parses `name` or `name:port`. Throws FailureError `bad_args` for any other text, such as an IP address, a
 * pattern, a URL or a single label, and for an invalid port: IP addresses may lead anywhere, and names
 * without a dot belong to this machine or network.
 */
export function readGrantedHost(text: string): GrantedHost {
  const [, hostText = '', digits] = /^(.*?)(?::(\d{1,5}))?$/s.exec(text) ?? []
  const name = hostText.toLowerCase().replace(/\.$/, '')
  const bare = text.replace(/^\[|\](?::\d+)?$/g, '')
  // the system's resolver accepts numbers in any base as an IP address
  const isNumeric = /^(?:0x[\da-f]*|\d+)$/i.test(name.slice(name.lastIndexOf('.') + 1))
  if (isIP(bare) || isIP(name) || isNumeric) {
    throw createHostError(text, 'is an address', 'name the host, such as registry.npmjs.org')
  }
  const port = digits === undefined ? undefined : Number(digits)
  if (port !== undefined && (port < 1 || port > 65_535))
    throw createHostError(text, 'names no port', 'use 1 to 65535')
  if (!name.includes('.') || name.length > 253 || !name.split('.').every((part) => label.test(part))) {
    throw createHostError(
      text,
      'is not a host name',
      'name one host in full, without scheme, path and wildcard',
    )
  }
  return { name, port }
}

/** Returns true if a grant covers the host and port. A grant without a port covers the ports 80 and 443. */
export function isGranted(grants: readonly GrantedHost[], host: string, port: number): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return grants.some((grant) =>
    grant.name !== name
      ? false
      : grant.port === undefined
        ? port === 80 || port === 443
        : grant.port === port,
  )
}

const createHostError = (text: string, why: string, hint: string) =>
  new FailureError({ code: 'bad_args', message: `needs.network: ${JSON.stringify(text)} ${why}`, hint })
