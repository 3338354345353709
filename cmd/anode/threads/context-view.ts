// The output of `anode threads show --context`: the parts of a context window with their tokens and shares.
import { groupDigits } from '../../../internal/base/text/count-noun.ts'
import {
  type ContextPart,
  readThreadContext,
  type ThreadContext,
} from '../../../internal/service/threads/thread-context.ts'
import type { Store, Thread } from '../../../internal/store/store.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg } from '../verb.ts'

export async function printContext(
  args: CommandArgs,
  io: CommandIo,
  store: Store,
  thread: Thread,
): Promise<number> {
  const context = readThreadContext(store, thread)
  const { window, parts, estimated } = context
  const whole = window ?? estimated
  const share = (tokens: number) => (whole === 0 ? 0 : tokens / whole)
  if (flagArg(args, 'json')) {
    const rows = parts.map((row) => ({ ...row, share: share(row.tokens) }))
    await writeText(io.stdout, formatJson({ thread: thread.id, ...context, parts: rows }, 2))
    return exitCodes.done
  }
  const rows = [
    ...parts.map((row) => [nameOf(row), groupDigits(row.tokens), formatPercent(share(row.tokens))]),
    ['together', groupDigits(estimated), formatPercent(share(estimated))],
    ...(window === null ? [] : [['window', groupDigits(window), '100%']]),
  ]
  await writeText(io.stdout, await formatTable(['part', 'tokens', 'share'], rows, io))
  await writeText(io.stdout, fitLines(`${noteOf(context)}\n`, io))
  return exitCodes.done
}

const nameOf = ({ part, name }: ContextPart) => (name === null ? part : `${part}: ${name}`)

const formatPercent = (share: number) => `${(share * 100).toFixed(1)}%`

function noteOf({ window, counted, model }: ThreadContext): string {
  const count =
    counted === null
      ? 'Estimated at four characters a token: the provider counted nothing.'
      : `Estimated at four characters a token; the provider counted ${groupDigits(counted)} ` +
        'for the newest request.'
  if (window !== null) return count
  const why = model === null ? 'no agent has run in this thread' : 'it was recorded by an earlier version'
  return `${count} System text, tools and window are not known: ${why}.`
}
