// `anode threads export`: a thread as Markdown or JSONL, to standard output or a file.
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { write } from '../io.ts'
import { type Args, type Io, str, type Verb } from '../verb.ts'
import { describeWriteFailure } from '../write-failure.ts'
import { narrate, pages } from './narrate.ts'
import { findThread, withStore } from './open.ts'

export const exportThread: Verb = {
  name: 'threads export',
  summary: 'Write a thread as Markdown or JSONL',
  usage: 'threads export THREAD [flags]',
  positionals: [{ name: 'THREAD', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    format: { type: 'string', describe: 'What to write', choices: ['md', 'jsonl'], default: 'md' },
    out: { type: 'string', describe: 'File instead of standard output', alias: 'o', value: 'FILE' },
  },
  examples: [['anode threads export last -o thread.md', 'Keep a thread beside the code']],
  run: (args, io) => withStore(io, (store) => writeOut(args, io, store)),
}

async function writeOut(
  args: Args,
  io: Io,
  store: Parameters<Parameters<typeof withStore>[1]>[0],
): Promise<number> {
  const thread = findThread(store, String(args.THREAD))
  const file = str(args, 'out')
  const opened = file === undefined ? undefined : await openFile(file)
  const out = opened ?? io.stdout
  if (args.format === 'md') await write(out, `# ${thread.title}\n\n${thread.id}, ${thread.workspace}\n\n`)
  for (const event of pages(store, thread.id)) {
    const text = args.format === 'md' ? narrate(event) : `${JSON.stringify(event)}\n`
    if (text !== '') await write(out, text)
  }
  if (opened) await finished(opened.end())
  return 0
}

/** Throws UserError when the file cannot be written. */
async function openFile(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file, { mode: 0o600 })
  try {
    await once(stream, 'open')
    return stream
  } catch (cause) {
    throw describeWriteFailure(file, cause)
  }
}
