// task and oracle: the prompt of a subagent, and the meaning of each end with and without text.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SpawnRequest, SpawnResult } from '../../../../internal/tool/agents.ts'
import { oracle } from '../../../../internal/tools/agents/oracle.ts'
import { task } from '../../../../internal/tools/agents/task.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { scratch } from '../../../support/scratch.ts'

function ended(end: SpawnResult['end'], text: string, reason?: string): SpawnResult {
  const receipts = { read: ['a.ts'], changed: [], commands: [] }
  return { end, reason, text, thread: 'sess_1', receipts, turns: 1, calls: 1, tokens: 9, usd: 0, ms: 5 }
}

async function run(tool: typeof task | typeof oracle, args: object, child: SpawnResult) {
  const cwd = scratch()
  mkdirSync(join(cwd, 'src'))
  writeFileSync(join(cwd, 'src/a.ts'), 'export const answer = 42\n')
  writeFileSync(join(cwd, 'src/long.ts'), 'x'.repeat(79).concat('\n').repeat(5000))
  const orders: SpawnRequest[] = []
  const spawn = async (order: SpawnRequest) => {
    orders.push(order)
    return child
  }
  const result = await call(tool as typeof task, args as never, ctxWith({ agents: { spawn } }, { cwd }))
  return { result, order: orders[0] }
}

const ends = ['done', 'partial', 'limit', 'cancelled', 'failed'] as const

/** Returns the error code of a call whose subagent ended without text. */
function codeOf(end: SpawnResult['end'], reason: string | undefined): string {
  if (end === 'cancelled') return 'cancelled'
  if (end === 'done' || end === 'failed') return 'run_failed'
  return reason === 'denied' ? 'denied' : 'limit_reached'
}

describe('task', () => {
  test.each(ends)('%s without an answer is not a success', async (end) => {
    for (const text of ['', ' \n']) {
      for (const reason of [undefined, 'time', 'turns', 'denied']) {
        const { result } = await run(task, { goal: 'g' }, ended(end, text, reason))
        expect(result.failed?.code, String(reason)).toBe(codeOf(end, reason))
        expect(result.text).toContain('thread sess_1')
      }
    }
  })

  test.each([
    ['done', undefined],
    ['partial', undefined],
    ['limit', undefined],
    ['cancelled', 'cancelled'],
    ['failed', 'run_failed'],
  ] as const)('%s with text: %s', async (end, code) => {
    const { result } = await run(task, { goal: 'g' }, ended(end, 'what I found', 'time'))
    expect(result.failed?.code).toBe(code)
    expect(result.text).toMatch(/^what I found\n/)
  })

  test('a limit without an answer is reported as a limit', async () => {
    const { result } = await run(task, { goal: 'g' }, ended('limit', '', 'time'))
    expect(result.failed).toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining('said nothing'),
    })
  })
})

describe('oracle', () => {
  test('gets the files themselves, with their lines numbered', async () => {
    const { order } = await run(oracle, { question: 'Why?', files: ['src/a.ts'] }, ended('done', 'Because.'))
    expect(order?.goal).toMatch(/^Why\?\n\nThe files:\n\n===== src\/a.ts =====\n1\texport const answer = 42/)
  })

  test('lists files that do not fit', async () => {
    const files = ['src/long.ts', 'src/a.ts']
    const { order } = await run(oracle, { question: 'Why?', files }, ended('done', 'Because.'))
    expect(order?.goal.length).toBeLessThan(140_000)
    expect(order?.goal).toContain('===== src/a.ts =====')
  })

  test.each([
    ['nope.ts', 'not_found'],
    ['src', 'is_directory'],
    ['../out', 'outside_workspace'],
    ['', 'bad_args'],
  ])('%j is the error %s, and sends no request', async (path, code) => {
    const { result, order } = await run(oracle, { question: 'Why?', files: [path] }, ended('done', 'x'))
    expect(result.failed?.code).toBe(code)
    expect(order).toBeUndefined()
  })

  test.each(ends)('%s without an answer is not an answer', async (end) => {
    const { result } = await run(oracle, { question: 'Why?' }, ended(end, ' '))
    const codes: Record<string, string> = {
      partial: 'limit_reached',
      limit: 'limit_reached',
      cancelled: 'cancelled',
    }
    expect(result.failed?.code).toBe(codes[end] ?? 'run_failed')
  })

  test.each(['failed', 'cancelled'] as const)(
    'an answer of an agent that %s is not a success',
    async (end) => {
      const { result } = await run(oracle, { question: 'Why?' }, ended(end, 'So far this.'))
      expect(result.failed?.code).toBe(end === 'failed' ? 'run_failed' : 'cancelled')
      expect(result.text).toContain('So far this.')
    },
  )
})
