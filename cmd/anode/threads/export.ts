// The command `anode threads export`, which writes a thread as Markdown or JSONL to standard output
// or a file.
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { formatEvent, readThreadEvents } from '../../../internal/service/threads/thread-markdown.ts'
import type { Store } from '../../../internal/store/store.ts'
import { refuseForeignFile } from '../io/earlier-output.ts'
import { announceFile, readOutputFile } from '../io/output-file.ts'
import { writeText } from '../io/streams.ts'
import { describeWriteFailure } from '../io/write-failure.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'
import { threadExport } from './earlier-export.ts'
import { findThread } from './thread-access.ts'

export const exportThread: Verb = {
  name: 'threads export',
  summary: 'Write a thread as Markdown or JSONL',
  usage: 'threads export THREAD [flags]',
  positionals: [{ name: 'THREAD', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    format: {
      type: 'string',
      describe: 'What to write; default: by the ending of the file, else md',
      choices: ['md', 'jsonl'],
    },
    out: {
      type: 'string',
      describe: 'File instead of standard output; its ending says the form: md or jsonl',
      alias: 'o',
      value: 'FILE',
    },
  },
  examples: [['anode threads export last -o thread.md', 'Keep a thread in the repository']],
  run: (args, io) => withDataStore(io.env, (store) => writeOut(args, io, store)),
}

const forms = {
  what: 'a thread',
  endings: { '.md': 'md', '.markdown': 'md', '.txt': 'md', '.jsonl': 'jsonl', '.ndjson': 'jsonl' },
} as const

async function writeOut(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const thread = findThread(store, String(args.THREAD))
  const name = stringArg(args, 'out')
  const requestedFormat = stringArg(args, 'format') as 'md' | 'jsonl' | undefined
  const file = name === undefined ? undefined : readOutputFile(name, io, forms, requestedFormat)
  if (file) refuseForeignFile(file, threadExport)
  const format = file?.format ?? requestedFormat ?? 'md'
  const opened = file && (await openFile(file.name))
  const out = opened ?? io.stdout
  if (format === 'md') await writeText(out, `# ${thread.title}\n\n${thread.id}, ${thread.workspace}\n\n`)
  for (const event of readThreadEvents(store, thread.id)) {
    const text = format === 'md' ? formatEvent(event) : `${JSON.stringify(event)}\n`
    if (text !== '') await writeText(out, text)
  }
  if (file && opened) {
    await finished(opened.end())
    announceFile(file, opened.bytesWritten, io)
  }
  return 0
}

/** Opens the file for writing. Throws UserError if the file cannot be written. */
async function openFile(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file, { mode: 0o600 })
  try {
    await once(stream, 'open')
    return stream
  } catch (cause) {
    throw describeWriteFailure(file, cause)
  }
}
