// The model builtin/extract, which answers by searching and quoting with the tools of its caller, and its
// final answer. Equal requests get equal answers.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { describeAbsent } from '../../text-analysis/absent-words.ts'
import { findContradictoryPairs } from '../../text-analysis/contradictions.ts'
import { splitQuestion } from '../../text-analysis/facets.ts'
import { composeReport } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { Model, ModelEvent, ModelMessage, ModelRequest } from '../model.ts'
import { contentText } from '../tokens.ts'
import { chooseClaims, type QuotedPassage } from './claims.ts'
import {
  filedPassages,
  planQuestion,
  readFiledPassages,
  readSearchOutcome,
  type SearchOutcome,
  searchedWords,
  synthesiseInput,
  workObjective,
} from './found-passages.ts'

interface ExtractStep {
  name: string
  args: Record<string, unknown>
}

type ExtractReply = { text: string } | { step: ExtractStep }

/**
 * Largest number of passages that a search returns: six can become quotes, and two more replace passages
 * that repeat others.
 */
const searchedPassages = 8

/**
 * Creates the model that is used when none is configured. It has no network, no randomness and no state
 * besides the request, and uses no tokens.
 */
export function createExtractModel(): Model {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) {
      return yield { type: 'failure', failure: { kind: 'cancelled', message: 'the request was cancelled' } }
    }
    yield* emitReply(request, answerRequest(request))
  }
  return { id: 'builtin/extract', kind: 'rules', note: extractNote, window: 1_000_000, stream }
}

function* emitReply(request: ModelRequest, reply: ExtractReply): Generator<ModelEvent> {
  const isText = 'text' in reply
  if (isText) yield { type: 'text', text: reply.text }
  else yield { type: 'call', id: `x${request.messages.length}_1`, ...reply.step }
  yield { type: 'usage', input: 0, output: 0, usd: 0 }
  yield { type: 'end', reason: isText ? 'stop' : 'calls' }
}

function answerRequest(request: ModelRequest): ExtractReply {
  const { purpose, input } = request.meta ?? {}
  const question = questionOf(request.messages)
  if (purpose === 'plan') return { text: JSON.stringify(planOf(planQuestion(input) ?? question.text)) }
  if (purpose === 'synthesise') return { text: composeReport(synthesiseInput(input)) }
  const objective = workObjective(input)
  const filed = filedPassages(input)
  if (objective !== undefined && filed !== undefined)
    return { text: JSON.stringify(closingReply(objective, readFiledPassages(filed))) }
  const questionText = objective ?? question.text
  const outcome = readSearchOutcome(request.messages, objective === undefined ? question.at : 0)
  const hasWords = extractTerms(questionText).length > 0
  if (!outcome.called && hasWords) {
    if (request.toolChoice !== 'none' && request.tools.some(({ name }) => name === 'finder'))
      return {
        step: {
          name: 'finder',
          args: { mode: 'passage', query: searchedWords(questionText, input), limit: searchedPassages },
        },
      }
    outcome.failure = 'the tool finder is not among its tools'
  }
  if (objective !== undefined) return { text: JSON.stringify(closingReply(objective, outcome)) }
  if (!hasWords) return { text: noWordsAnswer }
  return { text: plainAnswer(questionText, outcome) }
}

/**
 * Returns the last message of the user and its index; an empty text and 0 without one. Notes of Anode and
 * mail are not questions.
 */
function questionOf(messages: readonly ModelMessage[]): { text: string; at: number } {
  const at = messages.findLastIndex((message) => message.role === 'user' && message.origin === undefined)
  const message = messages[at]
  return message ? { text: contentText(message.content), at } : { text: '', at: 0 }
}

/** Returns a plan with a single task, because one search answers the whole question. */
function planOf(question: string) {
  return { tasks: [{ id: 't1', objective: question, terms: extractTerms(question) }] }
}

/** Description of the model in one phrase. */
const extractNote = 'deterministic extraction, not a language model'

const intro = `builtin/extract (${extractNote})`

function describePlace({ path, from, to, place: inside, heading }: QuotedPassage): string {
  const at = inside === undefined ? `:${from === to ? from : `${from}-${to}`}` : `, ${inside}`
  return [path + at, heading].filter((text) => text !== '').join('  ')
}

/**
 * Returns the answer of an ordinary run. If the question has several parts, the quotes are grouped
 * under the parts.
 */
export function plainAnswer(question: string, outcome: SearchOutcome): string {
  if (outcome.failure !== undefined) return `${intro} could not search: ${outcome.failure}`
  const foreign = outcome.foreign === undefined ? [] : [outcome.foreign]
  const read = outcome.read === '' ? [] : [`read ${outcome.read}`]
  const below = ['', ...keepLines([...outcome.mentions, ...foreign, ...read, ...outcome.remarks])]
  if (outcome.verdict === 'nothing') return [...nothingFound(outcome), ...below].join('\n')
  const claims = chooseClaims(outcome.hits, question)
  const parts = splitQuestion(question)
  const lines = [`${intro}: ${describeEnd(outcome)}.`]
  for (const [part, objective] of (parts.length > 1 ? parts : [question]).entries()) {
    const partClaims = claims.filter((claim) => parts.length < 2 || claim.part === part)
    if (parts.length > 1 && partClaims.length > 0) lines.push('', `${objective}:`)
    for (const claim of partClaims)
      lines.push('', ...keepLines(quotedLines(claim.shown)), '', describePlace(claim))
  }
  for (const [a, b] of findContradictoryPairs(claims.map(({ quote }) => quote))) {
    const left = claims[a] as QuotedPassage
    const right = claims[b] as QuotedPassage
    lines.push('', 'Possible contradiction:', `- ${describePlace(left)}`, `- ${describePlace(right)}`)
  }
  return [...lines, ...below].join('\n')
}

/** Returns the lines of a quote, with control characters escaped so that a terminal does not obey them. */
const quotedLines = (quote: string): string[] =>
  quote.split('\n').map((line) => `> ${escapeInvisible(line, { chars: 'controls' })}`)

/**
 * Returns the lines with two spaces at the end of each but the last, because Markdown would
 * otherwise join lines.
 */
const keepLines = (lines: readonly string[]): string[] =>
  lines.map((line, i) => (i + 1 < lines.length ? `${line}  ` : line))

function describeEnd({ verdict, missing, lacking, coverage }: SearchOutcome): string {
  if (verdict === 'found') return 'quotes found'
  const absent = missing.length > 0 ? [describeAbsent(missing)] : []
  if (absent.length + lacking.length > 0) return `partial, ${[...absent, ...lacking].join('; ')}`
  return `partial, the passages cover ${Math.round(Number(coverage) * 100)} % of the question`
}

/**
 * Returns the verdict that the first line of an answer states, or `nothing` if the answer says that there was
 * no search. Undefined if the text is not an answer of this model.
 */
export function readVerdict(answer: string): SearchOutcome['verdict'] | undefined {
  // The answer says that the model could not search, or that the question had no words to search for.
  if (answer.startsWith(`${intro} `)) return 'nothing'
  const end = answer.startsWith(`${intro}: `) ? answer.slice(intro.length + 2) : ''
  if (end.startsWith('quotes found')) return 'found'
  if (end.startsWith('partial')) return 'partial'
  return end.startsWith('nothing found') ? 'nothing' : undefined
}

function nothingFound({ missing, nearest }: SearchOutcome): string[] {
  const lacking = missing.length > 0 ? `: ${describeAbsent(missing)}` : ''
  const near =
    nearest.length > 0 ? ['', 'The nearest sections:', ...nearest.map((title) => `- ${title}`)] : []
  return [`${intro}: nothing found${lacking}.`, ...near]
}

/** The answer for a message that has no words to search for. */
export const noWordsAnswer = `${intro} searches for the words of a question, and this message has none.`

/** Returns the response that ends a task of a study: quotes as claims, and open points. */
export function closingReply(objective: string, outcome: SearchOutcome): Record<string, unknown> {
  const claims = outcome.verdict === 'nothing' ? [] : chooseClaims(outcome.hits, objective)
  return {
    claims: claims.map(({ text, quote, key, evidence, score }) => ({
      text,
      evidence,
      quote,
      key: key || undefined,
      stance: 'supports',
      confidence: Math.round(Math.min(1, score / (claims[0]?.score || 1)) * 100) / 100,
    })),
    gaps: [...gapsOf(objective, outcome), ...unreadOf(outcome)],
  }
}

/**
 * Returns notes that the files may contain more than was found: advice on their language, and files that were
 * not read. Empty if everything was found.
 */
function unreadOf({ verdict, foreign, remarks }: SearchOutcome): string[] {
  if (verdict === 'found') return []
  return [
    ...(foreign === undefined ? [] : [foreign]),
    ...remarks.filter((remark) => remark.includes('were not read')),
  ]
}

/**
 * Returns the open points of an answer; empty for a complete one. Of a partial answer these are missing
 * words, missing kinds of values and unexplained mentions, or else the whole question. If nothing was found,
 * the whole question comes first, and the titles of the nearest sections come last. Of a failed search, only
 * the reason is returned.
 */
function gapsOf(objective: string, outcome: SearchOutcome): string[] {
  const { verdict, missing, mentions, nearest, failure } = outcome
  if (failure !== undefined) return [`not searched: ${failure}`]
  if (verdict === 'found') return []
  const absent = missing.length > 0 ? [describeAbsent(missing)] : []
  const lacking = [...absent, ...outcome.lacking, ...mentions]
  if (verdict === 'partial') return lacking.length > 0 ? lacking : [`no quote for: ${objective}`]
  const near = nearest.length > 0 ? [`nearest sections: ${nearest.join('; ')}`] : []
  return [`nothing found on: ${objective}`, ...lacking, ...near]
}
