// The model builtin/extract, which answers by searching and quoting with the tools of its caller. Equal
// requests get equal answers.
import { composeReport } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { Model, ModelEvent, ModelMessage, ModelRequest } from '../model.ts'
import { contentText } from '../tokens.ts'
import { cannotSearch, closingReply, extractNote, plainAnswer } from './answer.ts'
import { readFiledPassages, readSearchOutcome } from './found-passages.ts'
import {
  filedPassages,
  planQuestion,
  searchedWords,
  synthesiseInput,
  workObjective,
} from './request-input.ts'

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
    yield* emitReply(request, reply(request))
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

function reply(request: ModelRequest): ExtractReply {
  const { purpose, input } = request.meta ?? {}
  const question = questionOf(request.messages)
  if (purpose === 'plan') return { text: JSON.stringify(planOf(planQuestion(input) ?? question.text)) }
  if (purpose === 'synthesise') return { text: composeReport(synthesiseInput(input)) }
  const objective = workObjective(input)
  const filed = filedPassages(input)
  if (objective !== undefined && filed !== undefined)
    return { text: JSON.stringify(closingReply(objective, readFiledPassages(filed))) }
  const asked = objective ?? question.text
  const outcome = readSearchOutcome(request.messages, objective === undefined ? question.at : 0)
  const hasWords = extractTerms(asked).length > 0
  if (!outcome.called && hasWords) {
    if (request.toolChoice !== 'none' && request.tools.some(({ name }) => name === 'finder'))
      return {
        step: {
          name: 'finder',
          args: { mode: 'passage', query: searchedWords(asked, input), limit: searchedPassages },
        },
      }
    outcome.failure = 'the tool finder is not among its tools'
  }
  if (objective !== undefined) return { text: JSON.stringify(closingReply(objective, outcome)) }
  if (!hasWords)
    return { text: cannotSearch('searches for the words of a question, and this message has none.') }
  return { text: plainAnswer(asked, outcome) }
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
