// The end of a program whose terminal is gone.
import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'

/** Ends with 129 where the terminal is gone: Node's own way out would abort over it, with a core file. */
export function endByHangup(): void {
  if (isatty(1) || !fstatSync(1).isCharacterDevice()) return
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}

/** The same once everything else has been done. */
export function endByHangupAtExit(): void {
  process.once('exit', endByHangup)
}
