// The command `anode worker list`, which prints the workers of a server or of this machine, and the
// collections of files that each worker serves.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { listWorkers } from '../../../internal/service/study/worker-list.ts'
import type { WorkerRecord } from '../../../internal/study/engine/worker-record.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const listVerb: Verb = {
  name: 'worker list',
  summary: 'List the workers of studies: where each one runs, and which files it serves',
  usage: 'worker list [flags]',
  options: {
    engine: {
      type: 'string',
      describe:
        'redis://…: workers of this server; embedded: of this machine (default: ANODE_ENGINE, else embedded)',
      value: 'URL',
    },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [
    ['anode worker list', 'The worker processes of studies that run on this machine'],
    ['anode worker list --engine redis://10.0.0.5', 'The workers of all machines at this server'],
  ],
  run: printWorkers,
}

async function printWorkers(args: CommandArgs, io: CommandIo): Promise<number> {
  const engine = stringArg(args, 'engine') ?? (io.env['ANODE_ENGINE'] || 'embedded')
  const workers = await listWorkers(engine, io.env)
  if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(workers, 2))
  else if (workers.length === 0) {
    const start = engine === 'embedded' ? 'A study starts them.' : 'Start one: anode worker --engine URL'
    explainNoRows(`No workers. ${start}`, io)
  } else {
    const head = ['worker', 'host', 'process', 'slots', 'version', 'model', 'since', 'serves']
    await writeText(io.stdout, await formatTable(head, workers.map(describeWorker), io))
  }
  return exitCodes.done
}

function describeWorker(worker: WorkerRecord): string[] {
  const { label, host, pid, slots, busy, version, model, since, serves, refused } = worker
  const files = serves.map(({ corpus, files: count, commit }) => {
    const facts = [
      ...(count === undefined ? [] : [countNoun(count, 'file')]),
      ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ]
    return `${corpus.slice(0, 12)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}`
  })
  const lacking = refused.map(({ corpus, why }) => `not ${corpus.slice(0, 12)}: ${why}`)
  return [
    label,
    host,
    `${pid}`,
    `${busy} of ${slots}`,
    version,
    model ?? '-',
    formatMinute(since),
    [...files, ...lacking].join('; '),
  ]
}
