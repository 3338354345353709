// The command `anode usage`, which prints requests, tokens by kind and cost on this machine, by day, model,
// profile, thread or tool.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { shortCount } from '../../../internal/base/text/short-count.ts'
import { cachedShare } from '../../../internal/base/text/token-kinds.ts'
import { describeUsage } from '../../../internal/service/threads/usage-json.ts'
import { readUsage } from '../../../internal/service/threads/usage-report.ts'
import type { UsageGroup, UsageKey, UsageTotals } from '../../../internal/store/usage-totals.ts'
import { exitCodes } from '../exit-codes.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows, fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { shortId } from '../threads/thread-access.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'
import { readSince, sinceOption } from './since.ts'

export const usage: Verb = {
  name: 'usage',
  summary: 'Show what requests to models have used: tokens by kind, money, share from cache',
  usage: 'usage [flags]',
  options: {
    by: {
      type: 'string',
      describe: 'One line for each of these; children and workers count in the thread or study they serve',
      choices: ['day', 'model', 'profile', 'thread', 'tool'],
      default: 'day',
    },
    since: sinceOption,
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  foreignFlags: { days: '--since 7d', model: '--by model', thread: '--by thread' },
  examples: [
    ['anode usage --by model --since 7d', 'The last week, the dearest model first'],
    ['anode usage --by thread', 'Each run with the children it has started, each study with its workers'],
  ],
  run: showUsage,
}

async function showUsage(args: CommandArgs, io: CommandIo): Promise<number> {
  const by = (stringArg(args, 'by') ?? 'day') as UsageKey
  const since = readSince(stringArg(args, 'since'), Date.now())
  const report = await readUsage(io.env, { by, since })
  if (flagArg(args, 'json')) {
    await writeText(io.stdout, formatJson(describeUsage({ by, since }, report), 2))
    return exitCodes.done
  }
  const { groups, total } = report
  if (groups.length === 0) {
    const where = since === undefined ? '' : ' since then'
    explainNoRows(`No request to a model has been recorded${where}.`, io)
    return exitCodes.done
  }
  await writeText(io.stdout, await drawGroups(by, groups, total, io))
  const note = noteOf(total)
  if (note !== '') await writeText(io.stdout, fitLines(`${note}\n`, io))
  return exitCodes.done
}

/**
 * Returns a table with a row for each group and, for several groups, a row with the total. A thread also has
 * a title: at the end of its row, or on a terminal on a separate line.
 */
export async function drawGroups(
  by: UsageKey,
  groups: readonly UsageGroup[],
  total: UsageTotals,
  io: Pick<CommandIo, 'stdout'>,
): Promise<string> {
  const head = [by, 'requests', 'fresh', 'read', 'write', 'output', 'cached', 'cost']
  const ids = groups.map(({ key }) => key)
  const nameIn = (key: string) => (by === 'thread' ? shortId(key, ids) : key === '' ? '(answer)' : key)
  const titles = groups.map(({ title }) => (title ?? '').replace(/\s+/g, ' ').trim())
  const hasTitles = by === 'thread'
  const hasColumn = hasTitles && io.stdout.isTTY !== true
  const rows = groups.map((group, i) => [
    ...cellsOf(nameIn(group.key), group),
    ...(hasColumn ? [titles[i] as string] : []),
  ])
  if (groups.length > 1) rows.push(cellsOf('total', total))
  return await formatTable(hasColumn ? [...head, 'title'] : head, rows, io, hasTitles ? titles : [])
}

function cellsOf(name: string, totals: UsageTotals): string[] {
  const share = cachedShare(totals)
  const { requests, fresh, cacheRead, cacheWrite, output } = totals
  return [
    name,
    String(requests),
    ...[fresh, cacheRead, cacheWrite, output].map(shortCount),
    share === undefined ? '' : `${Math.round(share * 100)}%`,
    costText(totals),
  ]
}

/**
 * Returns the known cost in US dollars as text; `unknown` if no price is known. Adds `+?` if only some
 * prices are unknown.
 */
function costText({ requests, usd, unpriced }: UsageTotals): string {
  if (unpriced > 0 && unpriced >= requests) return 'unknown'
  const cost = `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
  return unpriced > 0 ? `${cost} +?` : cost
}

function noteOf({ unpriced, estimated }: UsageTotals): string {
  const price =
    unpriced > 0 ? `The price of ${countNoun(unpriced, 'request')} is unknown and not in the cost.` : ''
  const guess =
    estimated > 0
      ? `The tokens of ${countNoun(estimated, 'request')} are estimated: the provider counted none.`
      : ''
  return [price, guess].filter(Boolean).join(' ')
}
