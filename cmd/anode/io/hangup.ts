// The end of a program whose terminal is gone.
import { fstatSync, statSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Ends with 129 where the terminal is gone: Node's own way out would abort over it, with a core file. */
export function endByHangup(): void {
  if (!isLostTerminal()) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/** The same once everything else has been done. */
export function endByHangupAtExit(): void {
  process.once('exit', endByHangup)
}

/** Standard output is a device, as a terminal is, and neither one that answers nor /dev/null. */
function isLostTerminal(): boolean {
  const output = fstatSync(1)
  return output.isCharacterDevice() && !isatty(1) && output.rdev !== statSync('/dev/null').rdev
}
