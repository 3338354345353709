// builtin/extract: answers by searching and quoting, with the tools of whoever runs it; the same every time.
import { closing, note, plainAnswer } from './extract/answer.ts'
import { type Corpus, facets, parts } from './extract/facets.ts'
import { planInput, synthesiseInput, workInput } from './extract/input.ts'
import { look } from './extract/seen.ts'
import { compose } from './extract/synthesis.ts'
import { terms } from './extract/terms.ts'
import { conclude, proceed, type Step } from './extract/work.ts'
import type { Model, ModelEvent, ModelMessage, ModelRequest } from './model.ts'
import { estimate, textOf, tokensOf } from './tokens.ts'

type Reply = { text: string } | { steps: readonly Step[] }

/** The model used when none is configured. No network, no randomness, no state: all it knows is the request. */
export function extract(): Model {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (signal.aborted) {
      return yield { type: 'failure', failure: { kind: 'cancelled', message: 'the request was cancelled' } }
    }
    yield* say(request, reply(request))
  }
  return { id: 'builtin/extract', kind: 'rules', note, window: 1_000_000, stream }
}

function* say(request: ModelRequest, said: Reply): Generator<ModelEvent> {
  const input = estimate(request)
  if ('text' in said) {
    yield { type: 'text', text: said.text }
    yield { type: 'usage', input, output: tokensOf(said.text), usd: 0, estimated: true }
    yield { type: 'end', reason: 'stop' }
    return
  }
  const turn = request.messages.length
  for (const [i, step] of said.steps.entries()) yield { type: 'call', id: `x${turn}_${i + 1}`, ...step }
  yield { type: 'usage', input, output: tokensOf(JSON.stringify(said.steps)), usd: 0, estimated: true }
  yield { type: 'end', reason: 'calls' }
}

function reply(request: ModelRequest): Reply {
  const { purpose, input } = request.meta ?? {}
  if (purpose === 'plan') return plan(request, input)
  if (purpose === 'synthesise') return { text: compose(synthesiseInput(input)) }
  const task = workInput(input)
  const question = questionOf(request.messages)
  const wanted = task?.terms ?? terms(task?.objective ?? question.text)
  const progress = proceed(request.messages, task ? 0 : question.at, wanted, request.tools)
  if (progress.steps.length > 0) return { steps: progress.steps }
  if (task)
    return { text: JSON.stringify(closing(task.objective, wanted, conclude(wanted, progress), progress)) }
  const answers = parts(question.text).map((objective) => {
    const own = terms(objective)
    return { objective, terms: own, claims: conclude(own, progress) }
  })
  return { text: plainAnswer(answers, progress) }
}

/** The last thing a person said; notes of the program and mail are no questions. */
function questionOf(messages: readonly ModelMessage[]): { text: string; at: number } {
  const at = messages.findLastIndex((message) => message.role === 'user' && message.origin === undefined)
  const message = messages[at]
  return message ? { text: textOf(message.content), at } : { text: '', at: 0 }
}

/** Facets as JSON. A question in one piece is dealt out by rarity, which grep has to tell if nobody else did. */
function plan(request: ModelRequest, input: unknown): Reply {
  const question = questionOf(request.messages)
  const wanted = planInput(input, question.text)
  const words = terms(wanted.question)
  const one = parts(wanted.question).length === 1 && words.length >= 4 && wanted.workers > 1
  const seen = look(request.messages, 0, words)
  if (
    one &&
    !wanted.corpus &&
    !seen.called.has('grep') &&
    request.tools.some((tool) => tool.name === 'grep')
  ) {
    return { steps: words.map((pattern) => ({ name: 'grep', args: { pattern, max_matches: 1 } })) }
  }
  const corpus: Corpus = wanted.corpus ?? {
    frequency: Object.fromEntries(
      words.map((term) => [
        term,
        new Set(seen.hits.filter((hit) => hit.term === term).map((hit) => hit.path)).size,
      ]),
    ),
  }
  const tasks = facets(wanted.question, wanted.workers, corpus).map((facet, i) => ({
    id: `t${i + 1}`,
    ...facet,
  }))
  return { text: JSON.stringify({ tasks }) }
}
