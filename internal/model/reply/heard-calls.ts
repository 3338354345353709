// Tool calls of a Responses stream whose arguments arrive in separate events, because the finished item of a
// call may have none.
import { countOf, type JsonObject, objectOf, stringOf } from '../../base/untrusted-json.ts'
import { argumentText, nameOf } from '../wire/foreign-json.ts'

interface HeardCall {
  index: number | undefined
  item: JsonObject
  /** Text of the arguments that has arrived so far. */
  raw: string
  isFinished: boolean
}

/** Calls in the order in which they began. */
export type HeardCalls = HeardCall[]

const isCall = (item: unknown) => objectOf(item)?.type === 'function_call'

/** Updates `calls` if `event` contains the start of a call, a piece of its arguments or all of them. */
export function hearCall(calls: HeardCalls, event: JsonObject): void {
  const item = objectOf(event.item)
  if (event.type === 'response.output_item.added') {
    const index = countOf(event.output_index)
    if (item && isCall(item))
      calls.push({ index, item, raw: argumentText(item.arguments), isFinished: false })
    return
  }
  const call = callOf(calls, event)
  if (event.type === 'response.function_call_arguments.delta' && call) call.raw += stringOf(event.delta)
  if (event.type === 'response.function_call_arguments.done' && call)
    call.raw = argumentText(event.arguments) || call.raw
}

/**
 * Returns the unfinished call with the index of an event. If the event has no index: the call with its item
 * id, otherwise the latest unfinished call. Undefined if none fits.
 */
function callOf(calls: HeardCalls, event: JsonObject): HeardCall | undefined {
  const index = countOf(event.output_index)
  const open = calls.filter(({ isFinished }) => !isFinished)
  if (index !== undefined) return open.find((call) => call.index === index)
  const id = nameOf(event.item_id) || nameOf(objectOf(event.item)?.id)
  return open.find(({ item }) => id !== '' && item.id === id) ?? open.at(-1)
}

/**
 * Returns the finished item of `event` and marks its call as finished. A call without arguments gets those of
 * the earlier events.
 */
export function finishedItem(calls: HeardCalls, event: JsonObject): unknown {
  if (!isCall(event.item)) return event.item
  const call = callOf(calls, event)
  if (call) call.isFinished = true
  return withArguments(event.item, call)
}

function withArguments(item: unknown, call: HeardCall | undefined): unknown {
  const { arguments: ownArguments, ...rest } = objectOf(item) ?? {}
  return call && call.raw !== '' && argumentText(ownArguments) === ''
    ? { ...rest, arguments: call.raw }
    : item
}

/**
 * Returns `items`, in which calls without arguments get those of the earlier events. If `items` contains no
 * call, the unfinished calls follow.
 */
export function addHeardCalls(items: readonly unknown[], calls: HeardCalls): readonly unknown[] {
  if (calls.length === 0) return items
  const idOf = (item: unknown) => nameOf(objectOf(item)?.call_id) || nameOf(objectOf(item)?.id)
  const callItems = items.filter(isCall)
  const missing = calls.filter(({ isFinished }) => !isFinished && callItems.length === 0)
  return [
    ...items.map((item) =>
      isCall(item)
        ? withArguments(
            item,
            calls.find((call) => idOf(call.item) === idOf(item)),
          )
        : item,
    ),
    ...missing.map((call) => withArguments({ ...call.item, arguments: '' }, call)),
  ]
}
