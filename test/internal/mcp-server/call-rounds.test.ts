// Calls that wait for an approval between two requests: which answer counts, and how the other calls end.
import { expect, it } from 'vitest'
import { type CallRound, createCallRounds } from '../../../internal/mcp-server/call-rounds.ts'
import type { McpSurface } from '../../../internal/mcp-server/surface.ts'
import type { ApprovalRequest } from '../../../internal/tool/ask.ts'

const request: ApprovalRequest = {
  ...{ call: 'c', tool: 'bash', origin: 'native', args: {}, cwd: '/', reasons: [], always: undefined },
  preview: async () => undefined,
  signal: new AbortController().signal,
}

/** Makes calls that ask `times` times, and return how often they were allowed. */
function rounds(times = 1) {
  const ended: number[] = []
  const surface: Pick<McpSurface, 'call' | 'describe'> = {
    describe: () => 'May it?',
    async call({ name }, caller) {
      const replies = await Promise.all(Array.from({ length: times }, () => caller.ask(request)))
      const allowed = replies.filter(({ allow }) => allow).length
      ended.push(allowed)
      return { text: `${allowed}`, data: null, call: 'c', tool: name, ms: 0 }
    },
  }
  return { ended, ...createCallRounds(surface as McpSurface) }
}

const round = (over: Partial<CallRound> = {}): CallRound => ({
  ...{ name: 'bash', args: { command: 'x' }, signal: new AbortController().signal, canAsk: true },
  report: () => undefined,
  ...over,
})
const allow = (state: string) => ({
  answer: { state, reply: { action: 'accept' as const, content: { decision: 'once' } } },
})

async function asked(of: ReturnType<typeof rounds>, with_ = round()): Promise<string> {
  const end = await of.take(with_)
  if (end.kind !== 'asks') throw new Error(`it ${end.kind}`)
  return end.state
}

it('accepts one answer per question, from the request that names the same call', async () => {
  const calls = rounds()
  const state = await asked(calls)
  const other = round({ args: { command: 'y' }, ...allow(state) })
  expect(await calls.take(other)).toEqual({ kind: 'unknown' })
  expect(await calls.take(round(allow('made-up')))).toEqual({ kind: 'unknown' })
  expect(await calls.take(round(allow(state)))).toMatchObject({ kind: 'ended', result: { text: '1' } })
  expect(await calls.take(round(allow(state)))).toEqual({ kind: 'unknown' })
  expect(calls.ended).toEqual([1])
})

it('asks several questions of one call in sequence', async () => {
  const calls = rounds(2)
  const first = await asked(calls)
  const second = await asked(calls, round(allow(first)))
  expect(second).not.toBe(first)
  expect(await calls.take(round(allow(second)))).toMatchObject({ result: { text: '2' } })
})

it('ends waiting calls without approval when the client has gone', async () => {
  const calls = rounds()
  const state = await asked(calls)
  calls.close()
  expect(await calls.take(round(allow(state)))).toEqual({ kind: 'unknown' })
  await expect.poll(() => calls.ended).toEqual([0])
})
