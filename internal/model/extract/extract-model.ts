// builtin/extract: answers by searching and quoting, with the tools of whoever runs it; the same every time.

import { cutFacets, splitQuestion, type TermCorpus } from '../../text-analysis/facets.ts'
import { composeReport } from '../../text-analysis/synthesis.ts'
import { extractTerms } from '../../text-analysis/terms.ts'
import type { Model, ModelEvent, ModelMessage, ModelRequest } from '../model.ts'
import { contentText, estimateRequest, tokensOf } from '../tokens.ts'
import { closingReply, extractNote, plainAnswer } from './answer.ts'
import { planInput, synthesiseInput, workInput } from './request-input.ts'
import { concludeClaims, type ExtractStep, planSteps } from './search-steps.ts'
import { readToolResults } from './shown-results.ts'

type Reply = { text: string } | { steps: readonly ExtractStep[] }

/**
 * The model used when none is configured. No network, no randomness, no state: all it knows is the request.
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

function* emitReply(request: ModelRequest, reply: Reply): Generator<ModelEvent> {
  const input = estimateRequest(request)
  if ('text' in reply) {
    yield { type: 'text', text: reply.text }
    yield { type: 'usage', input, output: tokensOf(reply.text), usd: 0, estimated: true }
    yield { type: 'end', reason: 'stop' }
    return
  }
  const turn = request.messages.length
  for (const [i, step] of reply.steps.entries()) yield { type: 'call', id: `x${turn}_${i + 1}`, ...step }
  yield { type: 'usage', input, output: tokensOf(JSON.stringify(reply.steps)), usd: 0, estimated: true }
  yield { type: 'end', reason: 'calls' }
}

/** The tools that may be called. */
const callable = ({ tools, toolChoice }: ModelRequest) => (toolChoice === 'none' ? [] : tools)

function reply(request: ModelRequest): Reply {
  const { purpose, input } = request.meta ?? {}
  if (purpose === 'plan') return plan(request, input)
  if (purpose === 'synthesise') return { text: composeReport(synthesiseInput(input)) }
  const task = workInput(input)
  const question = questionOf(request.messages)
  const wanted = task?.terms ?? extractTerms(task?.objective ?? question.text)
  const progress = planSteps(request.messages, task ? 0 : question.at, wanted, callable(request))
  if (progress.steps.length > 0) return { steps: progress.steps }
  if (task)
    return {
      text: JSON.stringify(closingReply(task.objective, wanted, concludeClaims(wanted, progress), progress)),
    }
  const answerParts = splitQuestion(question.text).map((objective) => {
    const own = extractTerms(objective)
    return { objective, terms: own, claims: concludeClaims(own, progress) }
  })
  return { text: plainAnswer(answerParts, progress) }
}

/** The last thing a person said; notes of the program and mail are no questions. */
function questionOf(messages: readonly ModelMessage[]): { text: string; at: number } {
  const at = messages.findLastIndex((message) => message.role === 'user' && message.origin === undefined)
  const message = messages[at]
  return message ? { text: contentText(message.content), at } : { text: '', at: 0 }
}

/**
 * Facets as JSON. A question in one piece is dealt out by rarity, which grep has to tell if nobody else did.
 */
function plan(request: ModelRequest, input: unknown): Reply {
  const question = questionOf(request.messages)
  const wanted = planInput(input, question.text)
  const words = extractTerms(wanted.question)
  const one = splitQuestion(wanted.question).length === 1 && words.length >= 4 && wanted.workers > 1
  const seen = readToolResults(request.messages, 0, words)
  if (
    one &&
    !wanted.corpus &&
    !seen.called.has('grep') &&
    callable(request).some((tool) => tool.name === 'grep')
  ) {
    return { steps: words.map((pattern) => ({ name: 'grep', args: { pattern, max_matches: 1 } })) }
  }
  const corpus: TermCorpus = wanted.corpus ?? {
    frequency: Object.fromEntries(
      words.map((term) => [
        term,
        new Set(seen.hits.filter((hit) => hit.term === term).map((hit) => hit.path)).size,
      ]),
    ),
  }
  const tasks = cutFacets(wanted.question, wanted.workers, corpus).map((facet, i) => ({
    id: `t${i + 1}`,
    ...facet,
  }))
  return { text: JSON.stringify({ tasks }) }
}
