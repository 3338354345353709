// What runs side by side, what runs alone, and that results come in the order of the calls.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { maxParallelCalls, scheduleCalls } from '../../../internal/agent/reply-calls.ts'
import type { ToolEffect } from '../../../internal/policy/level.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription } from '../../../internal/tool/describe.ts'
import { defineTool, type Tool, type ToolInput } from '../../../internal/tool/tool.ts'
import { ctxWith } from '../../support/ctx.ts'

let running = 0
let most = 0
const log: string[] = []

const probe = (name: string, effect: ToolEffect): Tool =>
  defineTool({
    name,
    about: 'Takes its time.',
    level: 'auto_read',
    input: z.object({ id: z.string(), ms: z.number() }) as ToolInput,
    example: { id: 'a', ms: 1 },
    effect: () => effect,
    run: async (raw) => {
      const { id, ms } = raw as { id: string; ms: number }
      running++
      most = Math.max(most, running)
      log.push(`start ${id}`)
      await sleep(ms)
      log.push(`end ${id}`)
      running--
      return { text: id, data: null }
    },
  })

const tools = [
  probe('look', 'read'),
  probe('change', 'write'),
  probe('child', 'spawn'),
  { ...probe('think', 'read'), alone: true as const },
]
const registry = createCatalog(
  tools.map((t) => ({ ...toToolDescription(t, 'native'), load: async () => t, hidden: undefined })),
)

async function go(calls: [string, string, number][]) {
  log.length = 0
  most = 0
  const out: string[] = []
  const requests = calls.map(([name, id, ms]) => ({ name, args: { id, ms }, call: id }))
  for await (const result of scheduleCalls(registry, ctxWith(), requests))
    out.push(result.failed?.code ?? result.text)
  return out
}

it('runs neighbouring reads together and hands results out in order', async () => {
  expect(
    await go([
      ['look', 'a', 60],
      ['look', 'b', 5],
      ['look', 'c', 30],
    ]),
  ).toEqual(['a', 'b', 'c'])
  expect(log.slice(0, 3)).toEqual(['start a', 'start b', 'start c'])
})

it('runs what changes something alone', async () => {
  expect(
    await go([
      ['look', 'a', 20],
      ['change', 'b', 5],
      ['change', 'c', 5],
      ['look', 'd', 5],
    ]),
  ).toEqual(['a', 'b', 'c', 'd'])
  expect(log).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c', 'start d', 'end d'])
})

it('runs children together', async () => {
  await go([
    ['child', 'a', 30],
    ['child', 'b', 30],
  ])
  expect(most).toBe(2)
})

it('never runs more than its width at once', async () => {
  const calls = Array.from({ length: 20 }, (_, i): [string, string, number] => ['look', `n${i}`, 10])
  expect(await go(calls)).toEqual(calls.map(([, id]) => id))
  expect(most).toBe(maxParallelCalls)
})

it('gives a call that cannot run its failed result in its place', async () => {
  expect(
    await go([
      ['look', 'a', 5],
      ['lok', 'b', 5],
      ['look', 'c', 5],
    ]),
  ).toEqual(['a', 'unknown_tool', 'c'])
})

it('a tool with alone runs without others, although it only reads', async () => {
  await go([
    ['look', 'a', 20],
    ['think', 'b', 5],
    ['look', 'c', 5],
  ])
  expect(log).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c'])
})
