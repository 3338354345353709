// The exit codes of all commands of a pipe, which bash itself reports only for the last one.
import { createUlid } from '../base/ids.ts'

const pipe = /(?<!\|)\|(?!\|)/

interface WatchedCommand {
  command: string
  /** Name of the file in TMPDIR that receives the codes. */
  report: string
}

/** Returns `command` such that it reports the exit codes of its last pipe; undefined where it has no pipe. */
export function watchPipe(command: string): WatchedCommand | undefined {
  if (!pipe.test(command)) return undefined
  const report = `.pipe.${createUlid()}`
  // TMPDIR is read now, since the command may change it
  const write = `printf '%s ' \\"\\\${PIPESTATUS[@]}\\" 2>/dev/null >'$TMPDIR/${report}' || :`
  return { command: `[ -d "$TMPDIR" ] && trap "${write}" EXIT; ${command}`, report }
}

/** Returns the exit codes where the pipe has several commands and one of them failed. */
export function readPipe(report: string | undefined): number[] | undefined {
  const codes = (report ?? '').trim().split(' ').map(Number)
  const isPipe = codes.length > 1 && codes.every((code) => Number.isInteger(code) && code >= 0 && code < 256)
  return isPipe && codes.some((code) => code !== 0) ? codes : undefined
}
