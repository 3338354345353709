// The command `anode threads show`, which prints the events of one thread as readable text, or the content of
// its context window.

import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import {
  foldResult,
  formatEvent,
  readThreadEvents,
} from '../../../internal/service/threads/thread-markdown.ts'
import type { Store } from '../../../internal/store/store.ts'
import { readNumber } from '../flags.ts'
import { drawPage } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'
import { printContext } from './context-view.ts'
import { findThread } from './thread-access.ts'

export const show: Verb = {
  name: 'threads show',
  summary: 'Show a thread: messages, calls, results',
  usage: 'threads show THREAD [flags]',
  positionals: [{ name: 'THREAD', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    full: { type: 'boolean', describe: 'Whole results; otherwise the first lines of each' },
    last: { type: 'number', describe: 'Only the last events', value: 'N' },
    context: {
      type: 'boolean',
      describe: "What fills the model's window, in tokens and share, instead of the events",
    },
    json: { type: 'boolean', describe: 'Print the events as NDJSON, or with --context one JSON object' },
  },
  examples: [
    ['anode threads show last', 'The newest thread'],
    ['anode threads show last --context', 'Whether tools, results or words fill its window'],
  ],
  run: (args, io) => withDataStore(io.env, (store) => printThread(args, io, store)),
}

async function printThread(args: CommandArgs, io: CommandIo, store: Store): Promise<number> {
  const thread = findThread(store, String(args.THREAD))
  if (flagArg(args, 'context')) return printContext(args, io, store, thread)
  const last = readNumber(args, 'last', 0)
  const from = last === undefined ? 0 : Math.max(0, thread.events - last)
  let index = 0
  for (const event of readThreadEvents(store, thread.id)) {
    if (index++ < from) continue
    if (io.signal.aborted) break
    if (flagArg(args, 'json')) await writeText(io.stdout, `${JSON.stringify(event)}\n`)
    else {
      const text = formatEvent(flagArg(args, 'full') ? event : foldResult(event))
      if (text !== '') await writeText(io.stdout, await drawEvent(text, io))
    }
  }
  return 0
}

/**
 * Returns the Markdown of one event as `drawPage` formats it. On a terminal an empty line follows, which
 * separates two events.
 */
async function drawEvent(text: string, io: CommandIo): Promise<string> {
  const drawn = await drawPage(text, io)
  return io.stdout.isTTY ? `${drawn}\n` : drawn
}
