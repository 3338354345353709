// The exit codes of all commands of each pipe, which bash itself reports only for the last command.
import { createUlid } from '../base/ids.ts'

const pipe = /(?<!\|)\|(?!\|)/

/** Traced commands would show what is added here. */
const traced = /\bset\s+-\w*x|\bxtrace\b/

interface WatchedCommand {
  command: string
  /** Name of the file in TMPDIR that receives the codes. */
  report: string
}

/** A subshell is not announced to the trap of the shell around it. */
const subshell = /(?:^|[;&{\n]|\b(?:then|else|do)\b)[ \t]*\(/

/** Stands at the beginning of a report in which the same pipe may occur twice in a row. */
const mayRepeat = 'repeats'

/**
 * Returns `command` such that it reports the exit codes of its pipes; undefined where it has no pipe. The
 * codes of a pipe are read before the next command starts and at the end, so that a command may set a trap
 * for its own end. Pipes within functions are seen only in commands with subshells.
 */
export function watchPipe(command: string): WatchedCommand | undefined {
  if (!pipe.test(command) || traced.test(command)) return undefined
  const report = `.pipe.${createUlid()}`
  const file = `'$TMPDIR/${report}'`
  const isInner = subshell.test(command)
  // single codes tell a pipe that comes again from one that a subshell has found as well
  const isPipe = isInner ? '' : `[[ \\\${#__pipe[@]} -gt 1 ]] && `
  const read = [
    // one command: the next one finds other codes
    `__pipe_last=\\$_ __pipe=(\\"\\\${PIPESTATUS[@]}\\")`,
    `printf -v __pipe_now '%s ' \\"\\\${__pipe[@]}\\"`,
    `[[ \\$__pipe_now == \\"\\$__pipe_before\\" ]] || { __pipe_before=\\$__pipe_now; ` +
      `${isPipe}printf '%s\\n' \\"\\$__pipe_now\\" 2>/dev/null >>${file}; } || :`,
    ': \\"\\$__pipe_last\\"',
  ].join('; ')
  const inner = isInner ? `set -T; echo ${mayRepeat} >"$TMPDIR/${report}"; ` : ''
  // TMPDIR is read now, since the command may change it
  const start = `[ -d "$TMPDIR" ] && { ${inner}__pipe_before=; trap "${read}" DEBUG EXIT; }`
  return { command: `${start}; ${command}`, report }
}

/** More pipes of one command are not told. */
const maxPipes = 8

/** Returns the exit codes of each pipe with several commands of which one failed. */
export function readPipes(report: string | undefined): number[][] {
  const lines = (report ?? '').split('\n')
  const isNew = (line: string, i: number) => lines[0] !== mayRepeat || line !== lines[i - 1]
  const pipes = lines.filter(isNew).map((line) => line.trim().split(' ').map(Number))
  const isPipe = (codes: number[]) =>
    codes.length > 1 && codes.every((code) => Number.isInteger(code) && code >= 0 && code < 256)
  return pipes.filter((codes) => isPipe(codes) && codes.some((code) => code !== 0)).slice(-maxPipes)
}

/** The codes in the status of a command; empty where no command of a pipe failed. */
export function describePipes(pipes: readonly (readonly number[])[]): string {
  const lists = pipes.map((codes) => codes.join(' '))
  return lists.length === 0 ? '' : `, in the pipe${lists.length > 1 ? 's' : ''} ${lists.join(' and ')}`
}
