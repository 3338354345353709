// Requests that the strictest endpoint of each wire format rejects, one line per fault.
import type { ServedFormat } from '../model-server.ts'
import { schemaFaults } from './strict-schema.ts'

// biome-ignore lint/suspicious/noExplicitAny: a request may be anything
type Json = any

const nameForm = /^[A-Za-z0-9_-]{1,64}$/

/** Finds everything that makes an endpoint answer 400; empty for a request that every endpoint takes. */
export function strictFaults(format: ServedFormat, body: Json): string[] {
  const tools = toolsOf(format, body)
  const names = tools.map(({ name }) => name)
  return [
    ...tools.flatMap(({ name, schema }, i) => [
      ...(nameForm.test(name) ? [] : [`tools[${i}]: name ${JSON.stringify(name)}`]),
      ...schemaFaults(schema).map((fault) => `tools[${i}] (${name}): ${fault}`),
    ]),
    ...(new Set(names).size === names.length ? [] : ['tools: two have one name']),
    ...(tools.length > 128 ? ['tools: more than 128'] : []),
    ...{ chat: chatFaults, responses: responsesFaults, messages: messagesFaults }[format](body),
  ]
}

function toolsOf(format: ServedFormat, body: Json): { name: string; schema: Json }[] {
  const tools: Json[] = body.tools ?? []
  if (format === 'chat') return tools.map(({ function: one }) => ({ name: one.name, schema: one.parameters }))
  return tools.map((one) => ({ name: one.name, schema: one.parameters ?? one.input_schema }))
}

const isBlank = (text: unknown) => typeof text !== 'string' || text.trim() === ''

function contentFaults(content: Json, at: string): string[] {
  if (typeof content === 'string') return isBlank(content) ? [`${at}: blank content`] : []
  if (!Array.isArray(content) || content.length === 0) return [`${at}: no content`]
  return content.flatMap((part: Json, i: number) =>
    'text' in part && isBlank(part.text) ? [`${at}.content[${i}]: blank text`] : [],
  )
}

/** Calls of the conversation so far: unique ids, fitting names, objects as arguments. */
function callChecker() {
  const ids = new Set<string>()
  return (id: unknown, name: unknown, args: Json, at: string): string[] => {
    const faults: string[] = []
    if (typeof id !== 'string' || !nameForm.test(id)) faults.push(`${at}: id ${JSON.stringify(id)}`)
    if (ids.has(String(id))) faults.push(`${at}: the id ${id} is used twice`)
    ids.add(String(id))
    if (typeof name !== 'string' || !nameForm.test(name)) faults.push(`${at}: name ${JSON.stringify(name)}`)
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      faults.push(`${at}: arguments are not an object`)
    return faults
  }
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

function chatFaults(body: Json): string[] {
  const faults: string[] = []
  const checkCall = callChecker()
  let open: string[] = []
  let before = ''
  for (const [i, one] of body.messages.entries()) {
    const at = `messages[${i}]`
    if (one.role !== 'tool' && open.length > 0) {
      faults.push(`${at}: no result of ${open}`)
      open = []
    }
    if (one.role === 'system' && i > 0) faults.push(`${at}: system is not the first`)
    if (one.role === before && one.role !== 'tool') faults.push(`${at}: two ${one.role} in a row`)
    if (one.role === 'assistant' && !['user', 'tool'].includes(before))
      faults.push(`${at}: a reply to nothing`)
    if (one.role === 'tool') {
      if (!open.includes(one.tool_call_id)) faults.push(`${at}: result without a call`)
      open = open.filter((id) => id !== one.tool_call_id)
    }
    if (one.role !== 'assistant' || !one.tool_calls || one.content != null)
      faults.push(...contentFaults(one.content, at))
    if (one.tool_calls?.length === 0) faults.push(`${at}: empty tool_calls`)
    for (const call of one.tool_calls ?? []) {
      faults.push(...checkCall(call.id, call.function.name, parse(call.function.arguments), at))
      open.push(call.id)
    }
    before = one.role
  }
  if (open.length > 0) faults.push(`messages: no result of ${open}`)
  if (before === 'assistant') faults.push('messages: the last one is a reply')
  if (!body.tools?.length && body.messages.some((one: Json) => one.tool_calls))
    faults.push('tools: calls without tools')
  return faults
}

function responsesFaults(body: Json): string[] {
  const faults: string[] = []
  const checkCall = callChecker()
  let open: string[] = []
  let before: Json = {}
  for (const [i, one] of body.input.entries()) {
    const at = `input[${i}]`
    if (before.type === 'reasoning' && !isReplyItem(one)) faults.push(`${at}: reasoning without its item`)
    if (one.type === 'message') {
      faults.push(...contentFaults(one.content, at))
      if (open.length > 0) faults.push(`${at}: no output of ${open}`)
      if (one.role === 'user' && before.role === 'user') faults.push(`${at}: two user messages in a row`)
    }
    if (one.type === 'function_call') {
      faults.push(...checkCall(one.call_id, one.name, parse(one.arguments), at))
      open.push(one.call_id)
    }
    if (one.type === 'function_call_output') {
      if (!open.includes(one.call_id)) faults.push(`${at}: output without a call`)
      open = open.filter((id) => id !== one.call_id)
      faults.push(...contentFaults(one.output, at))
    }
    before = one
  }
  if (open.length > 0) faults.push(`input: no output of ${open}`)
  if (isReplyItem(before) || before.type === 'reasoning') faults.push('input: the last item is a reply')
  return faults
}

const isReplyItem = (item: Json) =>
  item.type === 'function_call' || item.type === 'reasoning' || item.role === 'assistant'

function messagesFaults(body: Json): string[] {
  const faults: string[] = []
  const checkCall = callChecker()
  let open: string[] = []
  let before = ''
  if (body.system?.length === 0) faults.push('system: empty')
  for (const [i, { role, content }] of body.messages.entries()) {
    const at = `messages[${i}]`
    if (i === 0 && role !== 'user') faults.push(`${at}: the first is not of the user`)
    if (role === before) faults.push(`${at}: two ${role} in a row`)
    faults.push(...contentFaults(content, at))
    const results = content.filter((one: Json) => one.type === 'tool_result')
    if (
      results.length > 0 &&
      content.slice(0, results.length).some((one: Json) => one.type !== 'tool_result')
    )
      faults.push(`${at}: results are not first`)
    for (const one of results) {
      if (!open.includes(one.tool_use_id)) faults.push(`${at}: result without a call`)
      open = open.filter((id) => id !== one.tool_use_id)
      faults.push(...contentFaults(one.content, at))
    }
    if (open.length > 0) faults.push(`${at}: no result of ${open}`)
    open = []
    for (const one of content)
      if (one.type === 'tool_use') {
        faults.push(...checkCall(one.id, one.name, one.input, at))
        open.push(one.id)
      }
    if (content.at(-1)?.type?.endsWith('thinking')) faults.push(`${at}: ends with thinking`)
    before = role
  }
  if (open.length > 0) faults.push(`messages: no result of ${open}`)
  if (before !== 'user') faults.push('messages: the last one is a reply')
  const isCalled = body.messages.some((one: Json) => one.content.some((b: Json) => b.type === 'tool_use'))
  if (isCalled && !body.tools?.length) faults.push('tools: calls without tools')
  return faults
}
