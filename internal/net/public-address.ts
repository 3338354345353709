// Check whether addresses and host names are on the public internet, and so may be fetched.
import ipaddr from 'ipaddr.js'

/**
 * Returns why an address must not be connected to, or undefined if it is public. For a text that is not an IP
 * address, also returns a reason. The ranges are those of the IANA special-purpose registries (RFC 6890), as
 * in ipaddr.js; everything but plain unicast is rejected.
 */
export function refuseAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return 'is not an address'
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return refuseV4(address)
  const { parts } = address
  const range = address.range()
  if (range === 'ipv4Mapped') return refuseV4(readEmbeddedV4(parts))
  // Networks without IPv4 reach all IPv4 addresses through this prefix (RFC 6052), so the embedded IPv4
  // address is checked.
  if (range === 'rfc6052' && parts[2] === 0) return refuseV4(readEmbeddedV4(parts))
  if (range !== 'unicast') return `is ${words[range] ?? `a ${range} address`}`
  // global unicast is 2000::/3 (RFC 4291); lower addresses are IPv4-compatible forms, higher
  // ones are unassigned
  if (((parts[0] as number) & 0xe000) !== 0x2000) return 'is not a global address'
  // ISATAP (RFC 5214) tunnels to the IPv4 address in its last half
  if (parts[5] === 0x5efe && ((parts[4] as number) & 0xfdff) === 0) return 'is a tunnel address'
  return undefined
}

const words: Readonly<Record<string, string>> = {
  private: 'a private address',
  uniqueLocal: 'a private address',
  loopback: 'this machine',
  unspecified: 'this machine',
  linkLocal: 'a link-local address',
  carrierGradeNat: 'a shared address',
  multicast: 'a multicast address',
  broadcast: 'a broadcast address',
  '6to4': 'a tunnel address',
  teredo: 'a tunnel address',
}

/** Public addresses that belong to the platform of a cloud provider: Azure's platform endpoint. */
const platform = new Set(['168.63.129.16'])

type Ipv4Address = InstanceType<typeof ipaddr.IPv4>

function refuseV4(address: Ipv4Address): string | undefined {
  if (platform.has(address.toString())) return 'is a metadata address'
  const range = address.range()
  return range === 'unicast' ? undefined : `is ${words[range] ?? `a ${range} address`}`
}

/** Returns the IPv4 address in the last two parts of an IPv6 address. */
function readEmbeddedV4(parts: readonly number[]): Ipv4Address {
  const high = parts[6] as number
  const low = parts[7] as number
  return new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255])
}

/**
 * Returns true for `localhost`, `local`, `internal`, `home.arpa`, `localdomain` and names below them, which
 * belong to this machine or network (RFC 6761, 6762, 8375, ICANN's .internal).
 */
export function isLocalName(host: string): boolean {
  return /(^|\.)(localhost|local|internal|home\.arpa|localdomain)\.*$/i.test(host)
}
