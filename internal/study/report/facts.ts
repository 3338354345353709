// Facts of a report about the study itself, as text: its outcome, what was not done, its cost, and commands
// to repeat it.

import { countNoun, formatByteSize, groupDigits } from '../../base/text/count-noun.ts'
import { quoteWord } from '../../base/text/quoting/shell-word.ts'
import { formatTokenKinds } from '../../base/text/token-kinds.ts'
import { describeSearchLimit } from '../../retrieval/limits/search-limit.ts'
import { addStudyReason, describeNotice, describeStudyReason } from '../../session/board/study-words.ts'
import { describeQuotedParts } from '../log/outcome.ts'
import { nameTaskEnd } from '../log/task-end.ts'
import type { ReportDocument, ReportedTask } from './report-document.ts'

/** Returns a number such as `1,234`. */
const formatCount = (n: number): string => groupDigits(n)

export const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const formatMoney = (usd: number | null): string => (usd === null ? 'unknown' : `$${usd.toFixed(4)}`)

/** Returns a share such as `1.00`, or `nothing to check` for null. */
export const formatShare = (value: number | null): string =>
  value === null ? 'nothing to check' : value.toFixed(2)

function modelName({ model }: Pick<ReportDocument, 'model'>): string {
  return model.note === undefined ? model.name : `${model.name} (${model.note})`
}

/** Returns a text about how many parts of the question have a quote. */
function describeParts({ tasks, model, plan }: ReportDocument): string {
  const parts = tasks
    .filter(({ kind }) => kind !== 'verify')
    .map((task) => ({ ...task, claims: task.claims.length }))
  const dropped = plan.dropped.filter(({ reason }) => reason === 'cap').length
  return describeQuotedParts(parts, model.kind === 'rules', dropped)
}

/** Returns labels and values for the head of the report, in the order in which they are shown. */
export function headFacts(it: ReportDocument): [string, string][] {
  const foundCount = it.claims.filter((claim) => claim.state !== 'not_found').length
  const checked = it.claims.length === 0 ? '' : ` (${foundCount} of ${it.claims.length} quotes found)`
  return [
    ['Study', it.id],
    ['Status', nothingFound(it) ? it.outcome : addStudyReason(it.outcome, it.reason)],
    ['Model', modelName(it)],
    ...(it.plan.not_split === null
      ? []
      : [['Plan', `not split: ${it.plan.not_split}`] satisfies [string, string]]),
    ['Coverage', describeParts(it)],
    ['Citation accuracy', `${formatShare(it.citation_accuracy)}${checked}`],
    ['Support', formatShare(it.support)],
    ['Uncited sentences', String(it.uncited)],
    ['Started', it.created],
  ]
}

const nothingFound = ({ status, outcome }: Pick<ReportDocument, 'status' | 'outcome'>): boolean =>
  status === 'failed' && outcome !== 'failed'

/** Returns the warnings above the report. */
export function listWarnings(it: ReportDocument): string[] {
  const out: string[] = []
  if (nothingFound(it))
    out.push('Nothing found: no passage contains enough of the question. The following is not an answer.')
  else if (it.status === 'failed') {
    const words = describeStudyReason(it.reason ?? 'no claim')
    out.push(`This study failed (${words}): the following is not a result.`)
  } else if (it.status === 'partial')
    out.push(`Partial result (${describeStudyReason(it.reason ?? 'gaps')}): part of the question is open.`)
  else if (it.status !== 'done') out.push(`This study is ${it.status}: what follows is what there is so far.`)
  if (it.aggregator_failed !== null)
    out.push(`aggregator failed: ${describeStudyReason(it.aggregator_failed)}`)
  if (it.citation_accuracy !== null && it.citation_accuracy < it.min_citation) {
    out.push(
      `Citation accuracy is ${formatShare(it.citation_accuracy)}, below the threshold of ${it.min_citation}.`,
    )
  }
  if (it.support !== null && it.support < it.min_support)
    out.push(`Support is ${formatShare(it.support)}, below the threshold of ${it.min_support}.`)
  return out
}

/**
 * Returns lines about tasks that did not end as `done`, parts of the question that got no task,
 * and all notices.
 */
export function listUndone(it: ReportDocument): string[] {
  const tasks = it.tasks.filter(({ end }) => end !== 'done')
  return [
    ...tasks.map((task) => {
      const detail = task.detail ? `. ${task.detail}` : ''
      return `${task.id} ${task.objective}: ${describeEnd(task, it.model)}${detail}`
    }),
    ...it.plan.dropped.map(({ objective, reason }) => `${objective}: ${addStudyReason('not run', reason)}`),
    ...it.notices.map(({ code, text }) => `${describeNotice(code)}: ${text}`),
  ]
}

/**
 * Returns how a task ended: `partial (no evidence)`, `not run (budget)`, or `found` for `done` if rules
 * did the work.
 */
export function describeEnd(
  { end, reason }: Pick<ReportedTask, 'end' | 'reason'>,
  model: ReportDocument['model'],
): string {
  return addStudyReason(nameTaskEnd(model, end), reason)
}

/** Largest number of paths that are listed for one reason. Further ones are counted. */
const maxNamedPaths = 12

/**
 * Lists the skipped files, a line for each reason: `over 2 MiB (3): a.bin, b.bin, c.bin`. A last line counts
 * the skipped files that the report does not name.
 */
export function listSkipped({
  skipped,
  skipped_more,
}: Pick<ReportDocument, 'skipped' | 'skipped_more'>): string[] {
  const byReason = new Map<string, string[]>()
  for (const { path, why } of skipped) byReason.set(why, [...(byReason.get(why) ?? []), path])
  const beyond = skipped_more > 0 ? [`${countNoun(skipped_more, 'more file')} not named here`] : []
  const named = [...byReason].map(([why, paths]) => {
    const rest = paths.length - maxNamedPaths
    const more = rest > 0 ? `, and ${formatCount(rest)} more` : ''
    return `${why} (${formatCount(paths.length)}): ${paths.slice(0, maxNamedPaths).join(', ')}${more}`
  })
  return [...named, ...beyond]
}

/**
 * Returns the number and the size of the files that were read, and the wall time: `1,623 files, 16 MB,
 * 1.9 s`. If there are more files than a search by rules reads, the text says so. Without `read`, it has
 * only the time.
 */
export function describeReading({ read, wall_ms }: Pick<ReportDocument, 'read' | 'wall_ms'>): string {
  const least = read && describeSearchLimit(read) !== undefined ? 'what is likeliest to answer of ' : ''
  const files = read === null ? [] : [`${least}${countNoun(read.files, 'file')}`]
  const size = read === null ? [] : [formatByteSize(read.bytes)]
  return [...files, ...size, formatSeconds(wall_ms)].join(', ')
}

/**
 * Describes which evidence the answer to a further question uses. Returns undefined for the first question.
 */
export function describeBasis(it: Pick<ReportDocument, 'answered_from' | 'model'>): string | undefined {
  switch (it.answered_from) {
    case null:
      return undefined
    case 'filed':
      return 'answered from the evidence that was filed before; nothing was searched again'
    case 'both':
      return 'answered from the evidence that was filed before and from a new search'
    case 'search':
      return it.model.kind === 'rules'
        ? 'the evidence that was filed before did not answer it, so the files were searched again'
        : 'answered from a new search'
  }
}

/**
 * Returns the effort of a study as labels and values. If a language model did the work: tokens, money and
 * time with their limits, steps and messages. If rules did it: the files that were read. In both cases: the
 * number of passages and, for a further question, which evidence its answer uses.
 */
export function listSpending(it: ReportDocument): [string, string][] {
  const evidence: [string, string] = ['Evidence', `${it.evidence.unique} unique of ${it.evidence.all}`]
  const basis = describeBasis(it)
  const from: [string, string][] = basis === undefined ? [] : [['From', basis]]
  const read: [string, string] = ['Read', describeReading(it)]
  if (it.model.kind === 'rules') return [...(it.answered_from === 'filed' ? [] : [read]), ...from, evidence]
  const { limits } = it
  const of = (limit: string | null) => (limit === null ? '' : ` of ${limit}`)
  const { fresh, cache_read: cacheRead, cache_write: cacheWrite, output } = it.usage
  const kinds = { fresh, cacheRead, cacheWrite, output }
  const tokens = of(limits.tokens === null ? null : formatCount(limits.tokens))
  return [
    ['Tokens', `${formatCount(it.tokens)}${tokens}${it.tokens_estimated ? ' (estimated)' : ''}`],
    ['By kind', formatTokenKinds(kinds, formatCount)],
    ['Cost', `${formatMoney(it.usd)}${of(limits.usd === null ? null : formatMoney(limits.usd))}`],
    ['Model steps', `${it.steps}${it.repaid_steps > 0 ? `, ${it.repaid_steps} paid twice` : ''}`],
    ['Wall time', `${formatSeconds(it.wall_ms)} of ${limits.seconds} s`],
    ...from,
    evidence,
    ['Messages', String(it.messages)],
  ]
}

/** Lists commands that repeat the study and inspect it. */
export function listCommands(it: ReportDocument): string[] {
  const flags: string[][] = [
    it.baseline ? ['--baseline', 'single'] : ['--workers', String(it.workers)],
    ['--model', it.model.name],
    it.allowed_sources.join() === 'repo' ? [] : ['--sources', it.allowed_sources.join()],
    it.engine === 'embedded' ? [] : ['--engine', it.engine],
    ['--root', it.root],
    ['--seed', String(it.seed)],
    ['--max-steps', String(it.max_steps)],
    it.limits.tokens === null ? [] : ['--budget-tokens', String(it.limits.tokens)],
    it.limits.usd === null ? [] : ['--budget-usd', String(it.limits.usd)],
    it.limits.per_worker_tokens === null ? [] : ['--per-worker-tokens', String(it.limits.per_worker_tokens)],
  ]
  const words = flags.filter((pair) => pair.length > 0).map((pair) => pair.map(quoteWord).join(' '))
  return [
    foldCommand([`anode study ${quoteWord(it.question)}`, ...words]),
    `anode study verify ${it.id}`,
    `anode study trace ${it.id}`,
  ]
}

/** Returns a long command on several lines that a shell still reads as one command. */
function foldCommand(words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 72) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join(' \\\n  ')
}

/** Title of the collapsed sections. */
export const foldedTitle = 'About this study'

/** Returns true for the title of a section about the study itself. A report ends with these sections. */
export const isFolded = (title: string): boolean =>
  ['Skipped', 'Study', 'Failed and not run', 'Budget', 'Reproduce'].includes(title)

/** Returns `2 quotes, found` or `3 quotes, 1 not verified`. */
export function summarizeQuotes({ quotes }: { quotes: readonly { note: string }[] }): string {
  const doubts = quotes.filter(({ note }) => /^not verified/.test(note)).length
  return countNoun(quotes.length, 'quote') + (doubts > 0 ? `, ${doubts} not verified` : ', found')
}
