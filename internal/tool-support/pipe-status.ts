// Shell code that is put before a command. It reports the exit codes of all commands of each pipe, because
// bash itself reports only that of the last command.
import { createUlid } from '../base/ids.ts'
import { quoteForShell } from '../base/text/quoting/shell-word.ts'

const pipe = /(?<!\|)\|(?!\|)/

/**
 * Matches a command that switches on a trace. The trace would show the added code, so the added
 * code redirects it.
 */
const traced = /\bset\s+-\w*x|\bxtrace\b/

/**
 * Matches a command that sends its trace to a separate descriptor. Such a trace cannot be distinguished from
 * that of the added code.
 */
const tracedElsewhere = /\bBASH_XTRACEFD\b/

interface WatchedCommand {
  command: string
  /** Name of the file in TMPDIR that receives the exit codes of the pipes. */
  report: string
}

/**
 * Matches subshells, command substitutions and functions, which do not inherit the exit trap of their shell.
 */
const inner =
  /(?:^|[;&{\n]|\b(?:then|else|do)\b)[ \t]*\(|\$\(|`|[\w.:-]+[ \t]*\([ \t]*\)\s*[{(]|\bfunction[ \t]+\S/

/** Matches a start of another bash, which gets the added code through the variable BASH_ENV. */
const shell = /\bbash\b/

/**
 * Returns `command` with added code that reports the exit codes of its pipes. Undefined if it has no pipe
 * or sends its trace to a separate descriptor. The codes of a pipe are read before the next command starts
 * and at the end, so that a command may set a trap for its own end. A bash that the command starts with
 * `-c`, or that reads its commands from a pipe, reports its pipes too. Pipes of scripts and of other shells
 * are not reported.
 */
export function watchPipe(command: string): WatchedCommand | undefined {
  if (!pipe.test(command) || tracedElsewhere.test(command)) return undefined
  const report = `.pipe.${createUlid()}`
  const isInner = inner.test(command)
  const isPipe = isInner ? '' : '[[ ${#__pipe[@]} -gt 1 ]] && '
  // A subshell does not inherit the EXIT trap, so it sets the trap itself.
  const ownEnd = isInner
    ? '[[ $BASHPID == "$__pipe_pid" ]] || { __pipe_pid=$BASHPID; trap "$__pipe_trap" EXIT; }; '
    : ''
  const note =
    'printf -v __pipe_now \'%s \' "${__pipe[@]}"; [[ $__pipe_now == "$__pipe_before" ]] || { ' +
    `__pipe_before=$__pipe_now __pipe_count=$((__pipe_count + 1)); ${isPipe}` +
    'printf \'%s\\n\' "$__pipe_pid.$__pipe_count $__pipe_now" 2>/dev/null >>"$__pipe_file"; } || :; ' +
    ownEnd
  // One command reads both variables, because a second command would already find other values in them.
  const read = `__pipe_last=$_ __pipe=("\${PIPESTATUS[@]}"); ${note}: "$__pipe_last"`
  const trap = traced.test(command) ? `{ ${read}; } 2>/dev/null` : read
  const signals = isInner ? 'DEBUG RETURN EXIT' : 'DEBUG EXIT'
  const setUp = [
    '__pipe_before= __pipe_count=0 __pipe_pid=$BASHPID',
    `__pipe_trap=${quoteForShell(trap)}`,
    ...(isInner ? ['set -T'] : []),
    `trap "$__pipe_trap" ${signals}`,
  ].join('; ')
  const start = [
    // The path in TMPDIR is read before the command runs, since the command may change the variable.
    `__pipe_file=$TMPDIR/${report}`,
    ...(shell.test(command) ? [watchShells(setUp)] : []),
    setUp,
  ].join('; ')
  return { command: `[ -d "$TMPDIR" ] && { ${start}; }; ${command}`, report }
}

/**
 * Returns code that makes each bash started later run `setUp` first, unless BASH_ENV is set already. Bash
 * reads the file in BASH_ENV before its own commands. Scripts read the file too, and skip `setUp`.
 */
function watchShells(setUp: string): string {
  const file = `if [[ -n \${BASH_EXECUTION_STRING-} || \${0##*/} == bash ]]; then ${setUp}; fi`
  const write = `printf '__pipe_file=%q\\n%s\\n' "$__pipe_file" ${quoteForShell(file)} >"$__pipe_file.env"`
  return `[ -n "\${BASH_ENV-}" ] || { ${write} && export BASH_ENV="$__pipe_file.env"; }`
}

/** Largest number of reported pipes of one command. Of more pipes, only the last ones are reported. */
const maxPipes = 8

/**
 * Returns the exit codes of each reported pipe in which a command failed; of many pipes, those of
 * the last eight.
 */
export function readPipes(report: string | undefined): number[][] {
  // A subshell may report the last pipe of its parent a second time, so equal lines of the report count once.
  const lines = new Set((report ?? '').split('\n'))
  const pipes = [...lines].map((line) => line.trim().split(' ').slice(1).map(Number))
  const isPipe = (codes: number[]) =>
    codes.length > 1 && codes.every((code) => Number.isInteger(code) && code >= 0 && code < 256)
  return pipes.filter((codes) => isPipe(codes) && codes.some((code) => code !== 0)).slice(-maxPipes)
}

/** Returns the exit codes of the pipes as a part of a command's status; an empty text without pipes. */
export function describePipes(pipes: readonly (readonly number[])[]): string {
  const lists = pipes.map((codes) => codes.join(' '))
  return lists.length === 0 ? '' : `, in the pipe${lists.length > 1 ? 's' : ''} ${lists.join(' and ')}`
}
