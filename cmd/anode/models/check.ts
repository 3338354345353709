// The command `anode models check`, which sends a short request to a model and prints which features work.

import { shortCount } from '../../../internal/base/text/short-count.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import {
  checkModel,
  type ModelCheck,
  pickCheckedModel,
} from '../../../internal/service/models/model-check.ts'
import { formatDuration } from '../../../internal/tui/duration.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const check: Verb = {
  name: 'models check',
  summary: 'Ask a model one small question, and say what of it works',
  usage: 'models check [MODEL] [flags]',
  positionals: [{ name: 'MODEL', describe: 'provider/model; without it the one that runs would use' }],
  options: { json: { type: 'boolean', describe: 'Print one JSON object' } },
  examples: [
    ['anode models check', 'Is what is set up here usable?'],
    ['anode models check ollama/qwen3 --json', 'For a program; the exit code is 1 when something fails'],
  ],
  run: runCheck,
}

async function runCheck(args: CommandArgs, io: CommandIo): Promise<number> {
  const context = await readWorkspaceContext(io.cwd, io.env)
  const model = await pickCheckedModel(context, stringArg(args, 'MODEL'))
  const result = await checkModel(model, io.signal)
  const works = !result.failure && result.callsTools
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify({ works, ...result }, null, 2)}\n`)
  else io.stdout.write(await formatTable([result.model, '', ''], rowsOf(result), io))
  return works ? exitCodes.done : exitCodes.failed
}

function rowsOf({ failure, streams, callsTools, usage, window, firstMs, totalMs }: ModelCheck): string[][] {
  const size = ['window', `${shortCount(window)} tokens`, '']
  if (failure) return [['answer', 'failed', `${failure.kind}: ${failure.message}`], size]
  const first = firstMs === undefined ? '' : `, the first word after ${formatDuration(firstMs)}`
  return [
    ['answer', 'ok', `in ${formatDuration(totalMs)}${first}`],
    ['streaming', streams ? 'ok' : 'missing', streams ? '' : 'the answer came in one piece'],
    [
      'tools',
      callsTools ? 'ok' : 'missing',
      callsTools ? '' : 'it did not call the tool it was asked to call',
    ],
    usageRow(usage),
    cachingRow(usage),
    size,
  ]
}

function usageRow(usage: ModelCheck['usage']): string[] {
  if (!usage) return ['usage', 'missing', 'the provider counts no tokens; they are estimated']
  const cost = usage.usd === null ? 'cost unknown' : `$${usage.usd.toFixed(6)}`
  return ['usage', 'ok', `${usage.input} in, ${usage.output} out, ${cost}`]
}

function cachingRow(usage: ModelCheck['usage']): string[] {
  const { cached = 0, cacheWrite = 0 } = usage ?? {}
  if (cached + cacheWrite > 0) return ['caching', 'ok', `${cached} read, ${cacheWrite} written`]
  return ['caching', 'not seen', 'most providers keep nothing as short as this request']
}
