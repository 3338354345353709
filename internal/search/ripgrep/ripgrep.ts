// Start of ripgrep: the search for its program, the options of every call, how it ended, its error messages,
// and the files that it may not show.
import { createRequire } from 'node:module'
import { FailureError } from '../../base/errors.ts'
import { once } from '../../base/once.ts'
import { type ByteName, textOfBytes } from '../../base/text/byte-name.ts'
import {
  isSensitive,
  sampleGlobs,
  sensitiveGlobs,
  sensitivePaths,
} from '../../policy/paths/sensitive-names.ts'
import { runUnblocked } from '../../process/git/git-environment.ts'
import { findGitLayout } from '../../process/git/git-layout.ts'
import type { CommandOutcome, RunCommand } from '../../process/process-command.ts'

/** What a search needs from its caller: a way to start programs, and its limits. */
export interface SearchMeans {
  /** Starts programs; undefined if no programs may be started. */
  readonly run?: RunCommand | undefined
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /**
   * Names or paths of ripgrep programs, in the order in which they are tried. The first that starts and knows
   * the options is used.
   */
  readonly programs: readonly string[]
}

/**
 * Returns the path of ripgrep in the installed platform package, then `rg` for the one on PATH; only `rg` if
 * that package is not installed.
 */
export function ripgrepPrograms(): string[] {
  try {
    const require = createRequire(`${import.meta.dirname}/`)
    return [require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`), 'rg']
  } catch {
    // The package for this platform is not installed, or the platform has none.
    return ['rg']
  }
}

interface RipgrepRun {
  exit: number | null
  ended: SearchEnd
  /** Files that were skipped because their names are sensitive. */
  skipped: ByteName[]
  /** Number of messages about files and directories that could not be read. */
  unreadable: number
  /** Other lines on standard error; after about 8,192 characters further lines are dropped. */
  message: string
}

/**
 * Runs ripgrep in `cwd` and calls `take` with its standard output as it arrives. Resolves to undefined if
 * programs are not allowed, or if none of `means.programs` starts and knows the options. Rejects with
 * FailureError `io` if an ignore file is a named pipe, for which ripgrep would wait forever.
 */
export function runRipgrep(
  args: readonly string[],
  cwd: string,
  means: SearchMeans,
  take: (chunk: Buffer) => void,
): Promise<RipgrepRun | undefined> {
  return runUnblocked(findGitLayout(cwd), cwd, means.signal, (signal) =>
    runFirst(args, cwd, { ...means, signal }, take),
  )
}

/**
 * Runs the first program that starts and knows the options. Resolves to undefined if no program does, or if
 * no program may be started.
 */
async function runFirst(
  args: readonly string[],
  cwd: string,
  means: SearchMeans,
  take: (chunk: Buffer) => void,
): Promise<RipgrepRun | undefined> {
  if (!means.run) return undefined
  for (const file of means.programs) {
    const complaintLog = createErrorReader()
    let silent = true
    try {
      const outcome = await means.run({
        file,
        args: ['--no-config', '--color=never', ...args],
        cwd,
        signal: means.signal,
        timeoutMs: means.timeoutMs,
        keepBytes: 1024,
        childless: true,
        onOutput: (chunk, stream) => {
          const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
          silent &&= stream !== 'stdout'
          if (stream === 'stdout') take(bytes)
          else complaintLog.take(bytes.toString('latin1'))
        },
      })
      const { message, ...rest } = complaintLog.end()
      const foreign = silent && (outcome.exit === 126 || outcome.exit === 127 || unknownOption.test(message))
      if (foreign) continue
      // Exit code 2 means that ripgrep could not or must not open files, or that it rejects its arguments
      // with a message.
      const named = rest.unreadable > 0 || rest.skipped.length > 0 || (silent && message !== '')
      const complete = named ? [0, 1, 2] : [0, 1]
      return { exit: outcome.exit, ended: searchEnd(outcome, complete), message, ...rest }
    } catch (error) {
      if (!(error instanceof FailureError) || !cannotStart.has(error.failure.code)) throw error
    }
  }
  return undefined
}

/** Error codes after which another program is tried, because it may start. */
const cannotStart: ReadonlySet<string> = new Set(['not_found', 'io'])

/**
 * Matches the error of a program that does not know an option: a ripgrep that is too old, or another program
 * with that name.
 */
const unknownOption = /unrecognized flag|unexpected argument|Found argument '--|unknown option/

const maxMessage = 8_192

/** Returns a reader of standard error that separates messages about files from all others. */
function createErrorReader() {
  const skipped: ByteName[] = []
  let unreadable = 0
  let message = ''
  let rest = ''
  const line = (text: string) => {
    const guarded = parsePassedOver(text)
    if (guarded !== undefined) skipped.push(guarded)
    else if (/\(os error \d+\)$/.test(text)) unreadable++
    else if (message.length < maxMessage) message += `${text}\n`
  }
  return {
    take(text: string) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() as string
      for (const one of lines) line(one)
    },
    end() {
      if (rest !== '') line(rest)
      return { skipped, unreadable, message: message.trim() }
    },
  }
}

/** Returns the reason in one line from ripgrep's message about an invalid regular expression. */
export function ripgrepComplaint(message: string): string {
  const lines = message.split('\n').map((line) => line.trim())
  const reason = lines.findLast((line) => /^(?:rg: )?error: /.test(line))
  return (reason ?? lines.find((line) => line !== '') ?? 'no message').replace(/^(?:rg: )?(?:error: )?/, '')
}

/**
 * How a search ended; undefined after a complete search. `broken`: the program crashed, its exit code was
 * unexpected, or its output is incomplete.
 */
export type SearchEnd = CommandOutcome['ended'] | 'broken'

/**
 * Returns why a search ended early; undefined for a complete search. `complete` are the exit codes that the
 * program has after a complete search.
 */
export function searchEnd(
  { ended: endReason, exit, torn }: Pick<CommandOutcome, 'ended' | 'exit' | 'torn'>,
  complete: readonly number[],
): SearchEnd {
  if (endReason) return endReason
  return exit !== null && complete.includes(exit) && !torn ? undefined : 'broken'
}

/**
 * Returns options by which ripgrep skips files with sensitive names and prints one line about each. With
 * them, ripgrep reads such a file only through a program (`--pre`) whose path cannot exist, so it fails and
 * reports the file. No other option of ripgrep counts the skipped files in the same pass.
 */
export const guardArgs = once((): readonly string[] => [
  '--pre=/dev/null/none',
  `--pre-glob=${oneGlob(sensitiveGlobs)}`,
  // The last glob that matches a file counts, so example files such as `.env.sample` are searched.
  ...sampleGlobs.map((one) => `--pre-glob=!${one}`),
  `--pre-glob=**/${oneGlob(sensitivePaths)}`,
  // These globs match the most frequent directories with sensitive names. Files in other such directories are
  // removed from the results.
  `--pre-glob=**/${oneGlob(sensitiveGlobs.filter((one) => /^\w+$/.test(one)))}/**`,
])

/**
 * Returns one glob that matches what any of the globs matches, because ripgrep compares a path faster
 * with one glob.
 */
const oneGlob = (globs: readonly string[]) => `{${globs.join(',')}}`

const refusal = /^(?:rg: )?(?:\.\/)?(.*): preprocessor command could not start: /

/**
 * Returns the name of the file that ripgrep has skipped, from its message on standard error; undefined
 * for another message.
 */
export function parsePassedOver(line: string): ByteName | undefined {
  return refusal.exec(line)?.[1]
}

/**
 * Returns a pattern for a fast first check. It matches each path that may be sensitive; any other path needs
 * no further check. It looks for words of sensitive names, characters outside of ASCII, and names that end in
 * a dot or a space.
 */
const suspect = once(() => {
  const words = sensitiveGlobs.map((one) =>
    (one.match(/\w+/g) ?? ['']).reduce(
      (longest, word) => (word.length > longest.length ? word : longest),
      '',
    ),
  )
  const rows = sensitivePaths.map((one) => one.replaceAll('.', '\\.'))
  return new RegExp(`${[...new Set([...words, ...rows])].join('|')}|[^\\x00-\\x7f]|[. ](?:/|$)`, 'i')
})

/** Returns true if the path or a part of it is a sensitive name, such as that of a file with secrets. */
export const isGuarded = (name: ByteName): boolean => suspect().test(name) && isSensitive(textOfBytes(name))

/** Returns the names without the sensitive ones, which are added to `removed`. */
export function removeGuarded(names: ByteName[], removed: ByteName[]): ByteName[] {
  if (!names.some((name) => suspect().test(name))) return names
  const open: ByteName[] = []
  for (const name of names) (isGuarded(name) ? removed : open).push(name)
  return open
}
