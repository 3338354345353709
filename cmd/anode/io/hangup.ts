// The end of a process whose terminal was closed.
import { fstatSync, statSync } from 'node:fs'
import { isatty } from 'node:tty'

/**
 * Ends the process with SIGHUP (exit 129) if the terminal was closed. With a closed terminal, Node's normal
 * exit would abort and write a core file.
 */
export function endByHangup(): void {
  if (!isLostTerminal()) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

export function endByHangupAtExit(): void {
  process.once('exit', endByHangup)
}

/**
 * Returns true if standard output was a terminal that is closed now: a character device that is neither an
 * open terminal nor /dev/null.
 */
function isLostTerminal(): boolean {
  const output = fstatSync(1)
  return output.isCharacterDevice() && !isatty(1) && output.rdev !== statSync('/dev/null').rdev
}
