// The check for curl commands that only read from a port of this machine.
import { scanWords } from './option-scan.ts'
import { findProgram } from './program-table.ts'

/**
 * Matches a URL of this machine without a user before an `@`, without text that curl expands, and with a host
 * name that every parser reads alike.
 */
const address = /^(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[^\s\\{}[\]]*)?$/i

/**
 * Returns the port of this machine from which the command reads: by default 80, or 443 for https. Undefined
 * for every other command, such as one with another host, with two URLs, or with an option that may write a
 * file, send data or follow a redirect.
 */
export function loopbackPort(words: readonly string[]): number | undefined {
  const [program = '', ...rest] = words
  const entry = findProgram('loopback', program)
  const scanned = entry && scanWords(rest, entry)
  if (!scanned || typeof scanned === 'string' || scanned.operands.length !== 1) return undefined
  // a value may name a file to read or to write: `@FILE`, `%output{FILE}`
  if (scanned.values.some(([, text]) => text.startsWith('@') || text.includes('%output'))) return undefined
  const addressMatch = address.exec(scanned.operands[0] ?? '')
  if (!addressMatch) return undefined
  const [, scheme = 'http', port] = addressMatch
  const number = port === undefined ? (scheme.toLowerCase() === 'https' ? 443 : 80) : Number(port)
  return number >= 1 && number <= 65_535 ? number : undefined
}
