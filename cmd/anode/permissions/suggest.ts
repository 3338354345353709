// The commands `anode permissions suggest` and `log`, which print rules for calls that were approved
// repeatedly, and decisions of the reviewer.

import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { suggestRules } from '../../../internal/service/permissions/suggested-rules.ts'
import { listReviews, type RecordedReview } from '../../../internal/service/threads/recorded-reviews.ts'
import { readNumber } from '../flags.ts'
import { formatMinute } from '../io/date.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows, fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { shortId } from '../threads/thread-access.ts'
import { readSince, sinceOption } from '../usage/since.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const suggest: Verb = {
  name: 'permissions suggest',
  summary: 'Propose rules for calls that were approved here three times or more',
  usage: 'permissions suggest [flags]',
  options: {
    since: sinceOption,
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode permissions suggest --since 30d', 'What a rule would have spared in the last month']],
  run: printSuggestions,
}

async function printSuggestions(args: CommandArgs, io: CommandIo): Promise<number> {
  const since = readSince(stringArg(args, 'since'), Date.now())
  const rules = await withDataStore(io.env, (store) => suggestRules(store, realpathSync(io.cwd), since))
  if (flagArg(args, 'json')) {
    await writeText(io.stdout, `${JSON.stringify({ rules }, null, 2)}\n`)
    return 0
  }
  if (rules.length === 0) {
    explainNoRows('Nothing to propose: no call was approved here three times.', io)
    return 0
  }
  for (const { rule, covers, approved, denied } of rules) {
    const refused = denied > 0 ? `; ${denied} more were not approved` : ''
    const sparedText = `It would have spared ${countNoun(approved, 'question')}${refused}.`
    await writeText(io.stdout, `${JSON.stringify(rule)}\n`)
    await writeText(io.stdout, `${fitLines(`It lets through: ${covers}. ${sparedText}\n`, io)}\n`)
  }
  const how = 'To take one over, copy it into `permissions` of your configuration.\n'
  await writeText(io.stdout, fitLines(how, io))
  return 0
}

export const log: Verb = {
  name: 'permissions log',
  summary: 'List what the reviewer of approvals decided here, newest first',
  usage: 'permissions log --reviewer [flags]',
  options: {
    reviewer: { type: 'boolean', describe: 'Decisions of `approvals.reviewer`' },
    since: sinceOption,
    before: { type: 'string', describe: 'Only older ones than this one, for the next page', value: 'ID' },
    limit: { type: 'number', describe: 'At most this many', default: 20, value: 'N' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode permissions log --reviewer --since 7d', 'What ran without a question, and why']],
  run: printLog,
}

async function printLog(args: CommandArgs, io: CommandIo): Promise<number> {
  if (!flagArg(args, 'reviewer'))
    throw new UserError('no decisions are named', { hint: 'name them: anode permissions log --reviewer' })
  const limit = readNumber(args, 'limit', 1) ?? 20
  const before = stringArg(args, 'before')
  const since = readSince(stringArg(args, 'since'), Date.now())
  const query = { workspace: realpathSync(io.cwd), since, before, limit }
  const { reviews, next } = await withDataStore(io.env, (store) => listReviews(store, query))
  if (flagArg(args, 'json')) {
    await writeText(io.stdout, formatJson({ reviews, next: next ?? null }, 2))
    return 0
  }
  if (reviews.length === 0) {
    const older = before !== undefined || since !== undefined ? ' in this part of the log' : ' here'
    explainNoRows(`No decisions of a reviewer${older}. See \`anode manual reviewer\`.`, io)
    return 0
  }
  const threads = reviews.map(({ thread }) => thread)
  const cells = reviews.map((review) => cellsOf(review, threads))
  await writeText(io.stdout, await formatTable(['time', 'session', 'verdict', 'call', 'reason'], cells, io))
  if (next !== undefined) io.stderr.write(`older ones: anode permissions log --reviewer --before ${next}\n`)
  return 0
}

const cellsOf = ({ ts, thread, verdict, tool, subject, reason }: RecordedReview, threads: string[]) => [
  formatMinute(ts),
  shortId(thread, threads),
  verdict,
  `${tool} ${subject}`.trim(),
  reason,
]
