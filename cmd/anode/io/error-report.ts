// The reports of thrown errors: one line, the next step and an exit code; for bugs also a report file.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDir, readPrebuilt } from '../../../internal/base/dirs.ts'
import { FailureError, messageOf, UserError } from '../../../internal/base/errors.ts'
import { makeDirectory } from '../../../internal/base/files/make-directory.ts'
import { explainOwnDirectory } from '../../../internal/base/files/own-directories.ts'
import { createUlid } from '../../../internal/base/ids.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandIo } from '../verb.ts'

/** Prints the error and returns the exit code for it. For a bug of Anode, also writes a report file. */
export function reportFailure(thrown: unknown, io: CommandIo, words: readonly string[]): number {
  const error = explainOwnDirectory(thrown, io.env) ?? thrown
  if (error instanceof UserError) {
    io.stderr.write(`anode: ${sanitizeText(error.message)}\n`)
    const next = error.hint ?? (error.exit === exitCodes.usage ? nameHelp(words) : undefined)
    if (next !== undefined) io.stderr.write(`${sanitizeText(next)}\n`)
    if (io.env.ANODE_DEBUG === '1') io.stderr.write(`${error.stack}\n`)
    return error.exit
  }
  // A FailureError comes from a program, a file or the network, unless its code is `internal`. Any other
  // error is a bug of Anode.
  if (error instanceof FailureError && error.failure.code !== 'internal' && !io.signal.aborted) {
    io.stderr.write(`anode: ${sanitizeText(error.failure.message)}\n`)
    if (error.failure.hint !== undefined) io.stderr.write(`${sanitizeText(error.failure.hint)}\n`)
    return exitCodes.failed
  }
  if (io.signal.aborted) {
    io.stderr.write('anode: interrupted\n')
    return Number(process.exitCode ?? 130)
  }
  const where = keepReport(error, io, words)
  io.stderr.write(`anode: this is a bug in Anode: ${sanitizeText(messageOf(error).split('\n')[0] ?? '')}\n`)
  io.stderr.write(where ? `report written to ${where}\n` : 'no report could be written\n')
  if (io.env.ANODE_DEBUG === '1') io.stderr.write(`${(error as Error)?.stack}\n`)
  return exitCodes.bug
}

/**
 * Returns the line with the help command for these words; undefined unless the first word begins with
 * a lowercase letter.
 */
function nameHelp([first = '', second = '']: readonly string[]): string | undefined {
  const helpTexts = (readPrebuilt('help.json') ?? {}) as Readonly<Record<string, string>>
  const name = Object.hasOwn(helpTexts, `${first} ${second}`) ? `${first} ${second}` : first
  return /^[a-z]/.test(name) ? `more: anode ${name} --help` : undefined
}

function keepReport(error: unknown, io: CommandIo, words: readonly string[]): string | undefined {
  const path = join(dataDir(io.env), 'report', `${createUlid()}.txt`)
  // Arguments may contain secrets, so the report contains only the command's name and not its arguments.
  const versions = `anode ${process.env.ANODE_VERSION} node ${process.version} ${process.platform}`
  const head = `${versions}\ncommand: ${words[0] ?? ''}\n`
  try {
    makeDirectory(join(path, '..'), 0o700)
    writeFileSync(path, `${head}${error instanceof Error ? error.stack : String(error)}\n`, { mode: 0o600 })
    return path
  } catch {
    return undefined
  }
}
