// The start of a check under which Python compiles every file again.
import { randomBytes } from 'node:crypto'

/**
 * Returns a command for bash whose Python programs read no compiled files of the workspace. Such a file could
 * have other content than its source, with the time and the size that Python compares. The last line makes
 * bash the parent of the command: a check that kills its parent would otherwise end Anode.
 */
export function withFreshBytecode(command: string): string {
  const folder = `bytecode-${randomBytes(8).toString('hex')}`
  return `export PYTHONPYCACHEPREFIX="\${TMPDIR:-/tmp}/${folder}"
${command}
exit $?`
}
