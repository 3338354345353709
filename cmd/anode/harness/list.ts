// The command `anode harness list`, which prints the recordings and replays of this user, latest first.

import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import { listRecordings } from '../../../internal/service/harness/recording.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'harness list',
  summary: 'List recordings and their replays, latest first',
  usage: 'harness list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode harness list', 'Ids, commands and how they ended']],
  run: printRecordings,
}

async function printRecordings(args: CommandArgs, io: CommandIo): Promise<number> {
  const all = listRecordings(io.env).reverse()
  if (flagArg(args, 'json')) {
    io.stdout.write(
      formatJson(
        all.map(({ input: _, ...facts }) => facts),
        2,
      ),
    )
    return 0
  }
  if (all.length === 0) {
    explainNoRows('No recordings yet. Make one: anode harness record -- study "question"', io)
    return 0
  }
  const rows = all.map(({ id, of, words, exit, started }) => [
    id,
    of === undefined ? 'recording' : 'replay',
    sanitizeText(words.join(' ')),
    exit === undefined ? 'no end' : String(exit),
    formatMinute(started),
  ])
  io.stdout.write(await formatTable(['id', 'kind', 'command', 'exit', 'begun'], rows, io))
  return 0
}
