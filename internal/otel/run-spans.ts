// Conversion of run events to spans: the run, its requests, its calls, and its subagents.
import { hideSecrets } from '../base/secrets.ts'
import type { Event } from '../event/event.ts'
import { type AttributeValue, type OtlpSpan, toAttributes, toNanoseconds } from './otlp-span.ts'
import { createSpanId, type TraceContext } from './trace-context.ts'

interface RunSpanOptions {
  context: TraceContext
  /** Id of the span of the first run. Child processes need it before the run has ended. */
  firstSpanId: string
  /** True if spans contain the texts of the conversation, with secrets hidden. */
  content: boolean
  emit(span: OtlpSpan): void
}

interface OpenRun {
  spanId: string
  parentSpanId: string | undefined
  profile: string
  model: string
  began: number
  /**
   * Time since which the run waits for the model, in milliseconds since 1970. The span of the next
   * request starts then.
   */
  asked: number
  usage: Extract<Event, { type: 'usage' }>['payload'] | undefined
  calls: Map<string, { spanId: string; began: number; args: unknown; tool: string }>
}

const maxContent = 8_192

/**
 * Returns the converter; `take` has to get the events of each thread in order. `system.init` or the
 * `child.started` of its parent opens a run; other events without an open run are ignored.
 */
export function createRunSpans(options: RunSpanOptions): { take(thread: string, event: Event): void } {
  const runs = new Map<string, OpenRun>()
  let first: string | undefined = options.firstSpanId
  const open = (thread: string, event: Event, about: Pick<OpenRun, 'parentSpanId' | 'profile' | 'model'>) => {
    const began = { began: event.ts, asked: event.ts, usage: undefined, calls: new Map() }
    runs.set(thread, { spanId: first ?? createSpanId(), ...about, ...began })
    first = undefined
  }
  return {
    take(thread, event) {
      if (event.type === 'system.init') {
        const { profile, model } = event.payload
        return open(thread, event, { parentSpanId: options.context.parentSpanId, profile, model })
      }
      const run = runs.get(thread)
      if (!run) return
      if (event.type === 'child.started') {
        const { thread: child, profile = '' } = event.payload
        open(child, event, { parentSpanId: findStartingCall(run), profile, model: run.model })
      }
      if (event.type === 'child.ended') runs.delete(event.payload.thread)
      takeRunEvent(options, thread, run, event)
      if (event.type === 'run.ended') runs.delete(thread)
    },
  }
}

/**
 * Returns the id of the span of the call that started a subagent. Events do not name the call, so the last
 * unfinished one is used, and without an unfinished call the span of the run.
 */
const findStartingCall = ({ calls, spanId }: OpenRun) => [...calls.values()].at(-1)?.spanId ?? spanId

function takeRunEvent(options: RunSpanOptions, thread: string, run: OpenRun, event: Event): void {
  const { ts } = event
  switch (event.type) {
    case 'usage':
      run.usage = event.payload
      return
    case 'message':
      if (event.payload.role === 'assistant') {
        options.emit(requestSpan(options, thread, run, ts, event.payload.text))
        run.usage = undefined
      }
      run.asked = ts
      return
    case 'tool.call': {
      const { call, args, tool } = event.payload
      run.calls.set(call, { spanId: createSpanId(), began: ts, args, tool })
      return
    }
    case 'tool.result':
      options.emit(callSpan(options, run, event))
      run.calls.delete(event.payload.call)
      run.asked = ts
      return
    case 'run.ended':
      options.emit(runSpan(options, thread, run, event))
  }
}

type SpanParts = Pick<OtlpSpan, 'spanId' | 'name' | 'kind'> & {
  parentSpanId: string | undefined
  began: number
  ended: number
  failed: string | undefined
  attributes: Record<string, AttributeValue | undefined>
}

function makeSpan({ context }: RunSpanOptions, parts: SpanParts): OtlpSpan {
  const { spanId, name, kind, parentSpanId, began, ended: endTime, failed, attributes } = parts
  return {
    traceId: context.traceId,
    spanId,
    name,
    kind,
    parentSpanId,
    startTimeUnixNano: toNanoseconds(Math.min(began, endTime)),
    endTimeUnixNano: toNanoseconds(endTime),
    attributes: toAttributes({ ...attributes, 'error.type': failed }),
    status: failed === undefined ? { code: 0 } : { code: 2, message: failed },
  }
}

function requestSpan(
  options: RunSpanOptions,
  thread: string,
  run: OpenRun,
  endTime: number,
  text: string,
): OtlpSpan {
  const { usage, model, spanId: parentSpanId, asked: began } = run
  const message = { role: 'assistant', parts: [{ type: 'text', content: text }] }
  return makeSpan(options, {
    spanId: createSpanId(),
    parentSpanId,
    name: `chat ${nameOfModel(model)}`,
    kind: 3,
    began,
    ended: endTime,
    failed: undefined,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerOf(model),
      'gen_ai.conversation.id': thread,
      'gen_ai.request.model': nameOfModel(model),
      'gen_ai.response.model': usage?.model,
      'gen_ai.usage.input_tokens': usage?.input,
      'gen_ai.usage.output_tokens': usage?.output,
      'gen_ai.usage.cache_read.input_tokens': usage?.cached,
      'gen_ai.output.messages': contentOf(options, text === '' ? undefined : [message]),
    },
  })
}

function callSpan(
  options: RunSpanOptions,
  run: OpenRun,
  { ts, payload }: Extract<Event, { type: 'tool.result' }>,
): OtlpSpan {
  const { call, tool, ok, code, text } = payload
  const callStart = run.calls.get(call) ?? { spanId: createSpanId(), began: ts, args: undefined }
  return makeSpan(options, {
    spanId: callStart.spanId,
    parentSpanId: run.spanId,
    name: `execute_tool ${tool}`,
    kind: 1,
    began: callStart.began,
    ended: ts,
    failed: ok ? undefined : (code ?? 'failed'),
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': call,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.arguments': contentOf(options, callStart.args),
      'gen_ai.tool.call.result': contentOf(options, text),
    },
  })
}

function runSpan(
  options: RunSpanOptions,
  thread: string,
  { spanId, parentSpanId, profile, began, ...run }: OpenRun,
  { ts, payload }: Extract<Event, { type: 'run.ended' }>,
): OtlpSpan {
  const { end, reason, totals = {}, answer, model = run.model } = payload
  const count = (name: string) => (typeof totals[name] === 'number' ? Number(totals[name]) : undefined)
  return makeSpan(options, {
    spanId,
    parentSpanId,
    name: `invoke_agent ${profile}`,
    kind: 1,
    began,
    ended: ts,
    failed: end === 'failed' ? (reason ?? end) : undefined,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerOf(model),
      'gen_ai.agent.name': profile,
      'gen_ai.conversation.id': thread,
      'gen_ai.request.model': nameOfModel(model),
      'gen_ai.usage.input_tokens': count('input'),
      'gen_ai.usage.output_tokens': count('output'),
      'anode.run.end': end,
      'anode.run.reason': reason,
      'gen_ai.output.messages': contentOf(options, answer),
    },
  })
}

/**
 * Returns `value` as text with secrets hidden, cut after 8,192 characters. Undefined without a value, and if
 * spans must not contain the conversation.
 */
function contentOf({ content }: RunSpanOptions, value: unknown): string | undefined {
  if (!content || value === undefined) return undefined
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const hidden = hideSecrets(text, '[hidden]')
  return hidden.length > maxContent ? `${hidden.slice(0, maxContent).toWellFormed()}…` : hidden
}

const providerOf = (model: string) => (model.includes('/') ? model.slice(0, model.indexOf('/')) : 'anode')
const nameOfModel = (model: string) => model.slice(model.indexOf('/') + 1)
