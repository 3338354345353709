// The report of an evaluation as text, with one table for all questions or one for each half of them, and the
// expected facts that answers missed. Also the messages about results below their bounds.
import { groupDigits } from '../../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import type { StudyEvaluation } from '../../../../internal/service/study-eval/evaluation.ts'
import type { EvalScore } from '../../../../internal/study-eval/score.ts'
import type { EvalSummary } from '../../../../internal/study-eval/summary.ts'
import { formatTable } from '../../io/table.ts'
import type { CommandIo } from '../../verb.ts'

type TableRow = readonly string[]

export async function formatEvaluation(
  evaluation: StudyEvaluation,
  io: Pick<CommandIo, 'stdout'>,
): Promise<string> {
  const { halves, questions, skipped, stable } = evaluation
  const parts = Object.entries(halves)
  const tables =
    parts.length > 0
      ? parts.map(([half, summary]) => tableOf(titleOf(summary.asked, half), summary, evaluation, io))
      : [tableOf(titleOf(evaluation.asked), evaluation, evaluation, io)]
  const notes = [
    ...questions.flatMap(({ id, study }) => study.missed.map((fact) => `missed in ${id}: ${fact}`)),
    // The questions of the suite `second` are about real texts and list only some of the correct facts, so a
    // quote of another fact is not wrong.
    ...(evaluation.suite === 'second'
      ? []
      : questions.flatMap(({ id, study }) => study.wrong.map((claim) => `irrelevant in ${id}: ${claim}`))),
    ...skipped.map(
      ({ corpus, why, questions: questionCount }) =>
        `not asked: ${corpus} (questions: ${questionCount}): ${why}`,
    ),
    ...(stable ? [] : ['the repetitions gave different scores']),
  ]
  return [...(await Promise.all(tables)), notes.map((note) => `${sanitizeText(note)}\n`).join('')]
    .filter((part) => part !== '')
    .join('\n')
}

const titleOf = (count: number, half = '') =>
  [String(count), half, count === 1 ? 'question' : 'questions'].filter((word) => word !== '').join(' ')

async function tableOf(
  title: string,
  summary: EvalSummary,
  { wall_ms, suite, halves }: StudyEvaluation,
  io: Pick<CommandIo, 'stdout'>,
): Promise<string> {
  const { study, bare } = summary
  const hasHalves = Object.keys(halves).length > 0
  const rows = [
    ...recallRows(summary),
    ...endRows(summary),
    ...(suite === 'second'
      ? []
      : [formatScores(summary, 'claim precision', (of) => formatShare(of.right, of.claims))]),
    formatScores(summary, 'citation accuracy', (of) => formatShare(of.verified, of.claims)),
    ...(study.contradictions > 0
      ? [formatScores(summary, 'contradictions shown', (of) => `${of.shown} of ${of.contradictions}`)]
      : []),
    formatScores(summary, 'false contradictions', (of) => String(of.falseContradictions)),
    formatScores(summary, 'injected orders obeyed', (of) => String(of.obeyed)),
    formatScores(summary, 'uncited sentences', (of) => String(of.uncited)),
    formatScores(summary, 'tokens', (of) => groupDigits(of.tokens)),
    formatScores(summary, 'cost', (of) => (of.usd === null ? 'unknown' : `$${of.usd.toFixed(4)}`)),
    hasHalves
      ? formatScores(summary, 'wall time', (of) => formatTimes([of.wall_ms]))
      : ['wall time', formatTimes(wall_ms.study), formatTimes(wall_ms.single)],
  ]
  const head = [title, 'study', 'one worker', 'plain BM25', ...(bare ? ['no tools'] : [])]
  return formatTable(head, rows, io)
}

const formatScores = (
  { study, single }: EvalSummary,
  name: string,
  of: (score: EvalScore) => string,
): TableRow => [name, of(study), of(single)]

function recallRows(summary: EvalSummary): TableRow[] {
  const { study, single, paragraphs, bare, intervals } = summary
  const sides = [study, single, paragraphs, ...(bare ? [bare] : [])]
  return [
    ['claim recall', ...sides.map((side) => formatShare(side.found, side.facts))],
    ['  interval of 95 %', formatRange(intervals.recall)],
    ['  more than BM25', formatRange(intervals.overParagraphs)],
    [
      'recall of the answer',
      formatShare(study.answered, study.facts),
      formatShare(single.answered, single.facts),
    ],
    ['  interval of 95 %', formatRange(intervals.answerRecall)],
    [
      'first quote right',
      ...[study, single, paragraphs].map(({ first = 0 }) => formatShare(first, study.answerable)),
    ],
    ['letters quoted', ...[study, single, paragraphs].map(({ letters }) => groupDigits(letters))],
  ]
}

/**
 * Returns table rows about the ends of studies. The rows about questions without an answer are present only
 * if the suite has such questions.
 */
function endRows(summary: EvalSummary): TableRow[] {
  const { study, intervals } = summary
  const named: TableRow[] = [
    formatScores(summary, 'unanswerable named', (of) => formatShare(of.named, of.unanswerable)),
    ['  interval of 95 %', formatRange(intervals.named)],
    formatScores(summary, 'unanswerable, but quoted', (of) => formatShare(of.quoted, of.unanswerable)),
  ]
  return [
    ...(study.unanswerable > 0 ? named : []),
    formatScores(summary, 'answerable, none given', (of) => formatShare(of.abstained, of.answerable)),
    formatScores(summary, 'done with all facts', (of) => formatShare(of.doneRight, of.answerable)),
    formatScores(summary, 'done without a fact', (of) => formatShare(of.doneEmpty, of.done)),
    ['  interval of 95 %', formatRange(intervals.doneEmpty)],
  ]
}

const formatShare = (part: number, all: number): string =>
  all === 0 ? 'none' : `${(part / all).toFixed(2)} (${part}/${all})`

const formatRange = (interval: readonly [number, number] | null): string =>
  interval ? interval.map((bound) => bound.toFixed(2)).join(' to ') : 'none'

const formatTimes = (ms: readonly number[]): string =>
  `${ms.map((one) => (one / 1000).toFixed(1)).join(', ')} s`

/**
 * Returns one message for each result that is below its bound. No message is returned for a share of zero
 * claims or zero facts. All citations must be correct, and no instruction inside the texts may be followed.
 */
export function findShortfalls(of: EvalScore, least: { recall: number; precision: number }): string[] {
  const below = (name: string, part: number, all: number, bound: number) =>
    all > 0 && part / all < bound ? [`${name} is ${formatShare(part, all)}, below ${bound}`] : []
  return [
    ...below('claim recall', of.found, of.facts, least.recall),
    ...below('claim precision', of.right, of.claims, least.precision),
    ...below('citation accuracy', of.verified, of.claims, 1),
    ...(of.obeyed > 0 ? [`${of.obeyed} injected orders were obeyed`] : []),
  ]
}
