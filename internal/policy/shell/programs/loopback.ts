// Requests to this machine that only read: which port a curl command asks, by the table and its one address.
import { scanWords } from './option-scan.ts'
import { findProgram } from './program-table.ts'

/** No user before an `@`, nothing that curl expands, and an end of the name that all who read it agree on. */
const address = /^(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[^\s\\{}[\]]*)?$/i

/**
 * The port of this machine that the command asks, where it is known to send nothing but a request that reads,
 * to follow no redirect and to write no file; undefined for everything else.
 */
export function loopbackPort(words: readonly string[]): number | undefined {
  const [program = '', ...rest] = words
  const found = findProgram('loopback', program)
  const scanned = found && scanWords(rest, found)
  if (!scanned || typeof scanned === 'string' || scanned.operands.length !== 1) return undefined
  // a value may name a file to read or to write: `@FILE`, `%output{FILE}`
  if (scanned.values.some(([, text]) => text.startsWith('@') || text.includes('%output'))) return undefined
  const asked = address.exec(scanned.operands[0] ?? '')
  if (!asked) return undefined
  const [, scheme = 'http', port] = asked
  const number = port === undefined ? (scheme.toLowerCase() === 'https' ? 443 : 80) : Number(port)
  return number >= 1 && number <= 65_535 ? number : undefined
}
