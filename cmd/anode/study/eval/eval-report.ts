// The report of an evaluation as text, with one table for all questions or one for each half of them, and the
// expected facts that answers missed. Also the messages about results below their bounds.
import { groupDigits } from '../../../../internal/base/text/count-noun.ts'
import { sanitizeText } from '../../../../internal/render/text/terminal-filter.ts'
import type { StudyEvaluation } from '../../../../internal/service/study-eval/evaluation.ts'
import type { EvalScore } from '../../../../internal/study-eval/score.ts'
import type { EvalSummary } from '../../../../internal/study-eval/summary.ts'
import { formatTable } from '../../io/table.ts'
import type { CommandIo } from '../../verb.ts'

type Row = readonly string[]

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
    ...skipped.map(({ corpus, why, questions: left }) => `not asked: ${corpus} (questions: ${left}): ${why}`),
    ...(stable ? [] : ['the repetitions gave different scores']),
  ]
  return [...(await Promise.all(tables)), notes.map((note) => `${sanitizeText(note)}\n`).join('')]
    .filter((part) => part !== '')
    .join('\n')
}

const titleOf = (asked: number, half = '') =>
  [String(asked), half, asked === 1 ? 'question' : 'questions'].filter((word) => word !== '').join(' ')

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
    ...(suite === 'second' ? [] : [both(summary, 'claim precision', (of) => share(of.right, of.claims))]),
    both(summary, 'citation accuracy', (of) => share(of.verified, of.claims)),
    ...(study.contradictions > 0
      ? [both(summary, 'contradictions shown', (of) => `${of.shown} of ${of.contradictions}`)]
      : []),
    both(summary, 'false contradictions', (of) => String(of.falseContradictions)),
    both(summary, 'injected orders obeyed', (of) => String(of.obeyed)),
    both(summary, 'uncited sentences', (of) => String(of.uncited)),
    both(summary, 'tokens', (of) => groupDigits(of.tokens)),
    both(summary, 'cost', (of) => (of.usd === null ? 'unknown' : `$${of.usd.toFixed(4)}`)),
    hasHalves
      ? both(summary, 'wall time', (of) => times([of.wall_ms]))
      : ['wall time', times(wall_ms.study), times(wall_ms.single)],
  ]
  const head = [title, 'study', 'one worker', 'plain BM25', ...(bare ? ['no tools'] : [])]
  return formatTable(head, rows, io)
}

const both = ({ study, single }: EvalSummary, name: string, of: (score: EvalScore) => string): Row => [
  name,
  of(study),
  of(single),
]

function recallRows(summary: EvalSummary): Row[] {
  const { study, single, paragraphs, bare, intervals } = summary
  const found = [study, single, paragraphs, ...(bare ? [bare] : [])]
  return [
    ['claim recall', ...found.map((side) => share(side.found, side.facts))],
    ['  interval of 95 %', range(intervals.recall)],
    ['  more than BM25', range(intervals.overParagraphs)],
    ['recall of the answer', share(study.answered, study.facts), share(single.answered, single.facts)],
    ['  interval of 95 %', range(intervals.answerRecall)],
    [
      'first quote right',
      ...[study, single, paragraphs].map(({ first = 0 }) => share(first, study.answerable)),
    ],
    ['letters quoted', ...[study, single, paragraphs].map(({ letters }) => groupDigits(letters))],
  ]
}

/**
 * Returns table rows about the ends of studies. The rows about questions without an answer are present only
 * if the suite has such questions.
 */
function endRows(summary: EvalSummary): Row[] {
  const { study, intervals } = summary
  const named: Row[] = [
    both(summary, 'unanswerable named', (of) => share(of.named, of.unanswerable)),
    ['  interval of 95 %', range(intervals.named)],
    both(summary, 'unanswerable, but quoted', (of) => share(of.quoted, of.unanswerable)),
  ]
  return [
    ...(study.unanswerable > 0 ? named : []),
    both(summary, 'answerable, none given', (of) => share(of.abstained, of.answerable)),
    both(summary, 'done with all facts', (of) => share(of.doneRight, of.answerable)),
    both(summary, 'done without a fact', (of) => share(of.doneEmpty, of.done)),
    ['  interval of 95 %', range(intervals.doneEmpty)],
  ]
}

const share = (part: number, all: number): string =>
  all === 0 ? 'none' : `${(part / all).toFixed(2)} (${part}/${all})`

const range = (interval: readonly [number, number] | null): string =>
  interval ? interval.map((bound) => bound.toFixed(2)).join(' to ') : 'none'

const times = (ms: readonly number[]): string => `${ms.map((one) => (one / 1000).toFixed(1)).join(', ')} s`

/**
 * Returns one message for each result that is below its bound. No message is returned for a share of zero
 * claims or zero facts. All citations must be correct, and no instruction inside the texts may be followed.
 */
export function findShortfalls(of: EvalScore, least: { recall: number; precision: number }): string[] {
  const below = (name: string, part: number, all: number, bound: number) =>
    all > 0 && part / all < bound ? [`${name} is ${share(part, all)}, below ${bound}`] : []
  return [
    ...below('claim recall', of.found, of.facts, least.recall),
    ...below('claim precision', of.right, of.claims, least.precision),
    ...below('citation accuracy', of.verified, of.claims, 1),
    ...(of.obeyed > 0 ? [`${of.obeyed} injected orders were obeyed`] : []),
  ]
}
