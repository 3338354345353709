// The file of `-o`: its ending says the form of what is written, and it is looked at before anything is done.
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { formatByteSize } from '../../../internal/base/text/byte-size.ts'
import type { CommandIo } from '../verb.ts'
import { describeWriteFailure } from './write-failure.ts'

export interface OutputFile<Format extends string> {
  /** As it was named. */
  name: string
  path: string
  format: Format
}

interface OutputForms<Format extends string> {
  /** What is written, for messages: `a report`. */
  what: string
  /** The form of each known ending; the first ending of a form is the one that is proposed. */
  endings: Readonly<Record<string, Format>>
}

/**
 * `asked` is a form that was named apart, which then has to fit a known ending. Throws UserError for an
 * unknown ending, and for a folder that is not there or takes no files.
 */
export function readOutputFile<Format extends string>(
  name: string,
  io: Pick<CommandIo, 'cwd'>,
  { what, endings }: OutputForms<Format>,
  asked?: Format,
): OutputFile<Format> {
  const ending = extname(name).toLowerCase()
  const known = Object.hasOwn(endings, ending) ? endings[ending] : undefined
  const format = asked ?? known
  const firstOf = (form: Format) => Object.keys(endings).find((one) => endings[one] === form) as string
  if (!format) {
    const why = ending === '' ? 'has no ending' : `ends in ${ending}, which is not a format of ${what}`
    const forms = [...new Set(Object.values(endings))].map(firstOf)
    const list = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`
    throw new UserError(`${name} ${why}`, { hint: `${what} can be ${list}` })
  }
  if (asked && known && asked !== known) {
    throw new UserError(`--format ${asked} does not fit the ending of ${name}`, {
      hint: `leave --format out, or name a file that ends in ${firstOf(asked)}`,
    })
  }
  const path = resolve(io.cwd, name)
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder')
    accessSync(dirname(path), constants.W_OK)
  } catch (error) {
    throw describeWriteFailure(name, error)
  }
  return { name, path, format }
}

/** Says on standard error what was written; `size` in bytes. */
export function announceFile({ name }: { name: string }, size: number, io: Pick<CommandIo, 'stderr'>): void {
  io.stderr.write(`wrote ${name} (${formatByteSize(size)})\n`)
}
