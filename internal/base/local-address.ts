// The addresses of this machine and of private networks, where the user runs the server instead
// of a provider.

/**
 * Regular expression, as text, for host names and literal addresses of the machine itself and of private
 * networks (RFC 1918, RFC 4193).
 */
export const localHosts = [
  String.raw`localhost|127\.\d+\.\d+\.\d+|\[::1?\]|0\.0\.0\.0|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+`,
  String.raw`172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|\[f[cd][0-9a-f:]*\]|[^()/]*\.(?:local|internal|lan)`,
].join('|')

const localHost = new RegExp(`^(?:${localHosts})$`, 'i')

/**
 * Returns true if the host of `url` is this machine or in a private network, so that the user or their
 * network runs the server. Returns false for a text that is not a URL.
 */
export function isLocalAddress(url: string): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  return parsed !== undefined && localHost.test(parsed.hostname)
}
