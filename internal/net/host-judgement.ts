// Check of the addresses of a host name: the name is resolved once, and all addresses must be public unless
// the user allowed others.
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { FailureError } from '../base/errors.ts'
import { unlessAborted } from '../base/time-limit.ts'
import { isLocalName, refuseAddress } from './public-address.ts'

/** Resolves all addresses of a host name; rejects if it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>

export async function resolveBySystem(host: string): Promise<string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)
}

/**
 * Resolves to the addresses to connect to. Rejects with FailureError for a local name, for a name without an
 * address, and if one address is not public, because a name with mixed answers counts as an attack. With
 * `isKnown`, local names and all addresses are allowed. Also rejects with an error of `resolve`, and with the
 * reason of `signal`.
 */
export async function judgeHost(
  name: string,
  isKnown: boolean,
  resolve: ResolveHost,
  signal: AbortSignal,
): Promise<string[]> {
  const host = name.replace(/^\[|\]$/g, '')
  if (!isKnown && isLocalName(host)) throw blockedError(`${host} is a name of this machine or network`, host)
  // the URL parser has normalized numeric forms, including octal and hexadecimal ones
  signal.throwIfAborted()
  // The resolver of the system cannot be stopped, so an abort only ends the wait for it.
  const addresses = isIP(host) ? [host] : [...(await unlessAborted(resolve(host), signal))]
  if (addresses.length === 0) throw networkError(`${host} has no address`)
  for (const address of isKnown ? [] : addresses) {
    const why = refuseAddress(address)
    if (why !== undefined) {
      throw blockedError(`${host} ${host === address ? '' : `leads to ${address}, which `}${why}`, host)
    }
  }
  return addresses
}

/**
 * Returns a lookup function that answers with the checked addresses, so that the name is not resolved
 * a second time.
 */
export function createLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, done) => {
    const [one] = all as [{ address: string; family: number }]
    if (options.all) done(null, all)
    else done(null, one.address, one.family)
  }
}

/**
 * Returns a FailureError `blocked_address`. `host`, set if the host was blocked because of its name or
 * address, is stored in the detail of the error.
 */
export function blockedError(message: string, host?: string): FailureError {
  return new FailureError({
    code: 'blocked_address',
    message,
    hint: 'Only public http and https addresses can be fetched.',
    detail: host === undefined ? undefined : { host },
  })
}

export function networkError(message: string, cause?: unknown): FailureError {
  return new FailureError({ code: 'network', message }, cause)
}
