// The file of the flag `-o`. The extension selects the format, and the file is checked before
// the command starts.
import { accessSync, constants, statSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import { UserError } from '../../../internal/base/errors.ts'
import { writeAtomic } from '../../../internal/base/files/atomic-write.ts'
import { formatByteSize } from '../../../internal/base/text/count-noun.ts'
import type { CommandIo } from '../verb.ts'
import { describeWriteFailure } from './write-failure.ts'

export interface OutputFile<Format extends string> {
  /** Path of the file as the user typed it. */
  name: string
  path: string
  format: Format
}

interface OutputForms<Format extends string> {
  /** The content of the file in words, for messages: `a report`. */
  what: string
  /**
   * Formats by file extension with its dot, such as `.md`. Errors suggest the first extension of each format.
   */
  endings: Readonly<Record<string, Format>>
}

/**
 * Parses the path of an output file. `requestedFormat` is a format that was set separately; with it, any
 * unknown extension is accepted. Throws UserError for an extension of another format than `requestedFormat`,
 * for an unknown extension without `requestedFormat`, for a path that is a directory, and for a missing or
 * read-only parent directory.
 */
export function readOutputFile<Format extends string>(
  name: string,
  io: Pick<CommandIo, 'cwd'>,
  { what, endings }: OutputForms<Format>,
  requestedFormat?: Format,
): OutputFile<Format> {
  const ending = extname(name).toLowerCase()
  const endingFormat = Object.hasOwn(endings, ending) ? endings[ending] : undefined
  const format = requestedFormat ?? endingFormat
  const firstOf = (form: Format) => Object.keys(endings).find((one) => endings[one] === form) as string
  if (!format) {
    const why = ending === '' ? 'has no ending' : `ends in ${ending}, which is not a format of ${what}`
    const forms = [...new Set(Object.values(endings))].map(firstOf)
    const list = `${forms.slice(0, -1).join(', ')} or ${forms.at(-1)}`
    throw new UserError(`${name} ${why}`, { hint: `${what} can be ${list}` })
  }
  if (requestedFormat && endingFormat && requestedFormat !== endingFormat) {
    throw new UserError(`--format ${requestedFormat} does not fit the ending of ${name}`, {
      hint: `leave --format out, or name a file that ends in ${firstOf(requestedFormat)}`,
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

/** Writes a whole file and prints its name. Throws UserError if it cannot be written. */
export async function writeOutputFile(
  file: OutputFile<string>,
  bytes: Buffer,
  io: Pick<CommandIo, 'stderr'>,
): Promise<void> {
  try {
    await writeAtomic(file.path, bytes)
  } catch (error) {
    throw describeWriteFailure(file.name, error)
  }
  announceFile(file, bytes.length, io)
}

/** Prints on standard error the name of the written file and its `size` in bytes. */
export function announceFile({ name }: { name: string }, size: number, io: Pick<CommandIo, 'stderr'>): void {
  io.stderr.write(`wrote ${name} (${formatByteSize(size)})\n`)
}
