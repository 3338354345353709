// Limits that may only shrink: idioms, members of types, the loop, rooms, and readers of one event.
import { expect, it } from 'vitest'
import { countIdioms, type IdiomCounts, memberCounts } from '../support/idioms.ts'
import { read, sources } from '../support/sources.ts'

/** Uses of each idiom: at most `limit` today. The design aims at `goal`. */
const idioms: Readonly<Record<keyof IdiomCounts, { limit: number; goal: number }>> = {
  literalSpreads: { limit: 0, goal: 0 },
  conditionalSpreads: { limit: 50, goal: 50 },
  pairedAssignments: { limit: 0, goal: 0 },
  lazyImports: { limit: 247, goal: 250 },
  definedCalls: { limit: 0, goal: 0 },
}

/** A limit that is this far above its count is out of date and must be lowered. */
const slack = 30

/** Members of the types that every tool, call and run depends on. */
const contract: Readonly<Record<string, { file: string; limit: number; goal: number }>> = {
  Tool: { file: 'internal/tool/tool.ts', limit: 16, goal: 16 },
  Ctx: { file: 'internal/tool/ctx.ts', limit: 12, goal: 12 },
  Capabilities: { file: 'internal/tool/ctx.ts', limit: 14, goal: 14 },
}

const maxMembers = 20

/** Types with more members than that, each with its count. A report has one member for each of its parts. */
const largeTypes: Readonly<Record<string, number>> = {}

const maxLoopLines = 129
const maxRoomShare = 0.1

/** Files outside of `event` that name an event type: each must change when its payload gets a field to show. */
const eventReaders: Readonly<Record<string, number>> = { 'tool.result': 33, 'tool.call': 25 }

const isReport = (file: string) => file.split('/').includes('report')
const lineCount = (file: string) => read(file).split('\n').length - 1

it.each(Object.entries(idioms))('%s stay within their limit', (name, { limit, goal }) => {
  const idiom = name as keyof IdiomCounts
  const counts = sources().map((file) => ({ file, count: countIdioms(file)[idiom] }))
  const sum = counts.reduce((total, { count }) => total + count, 0)
  const top = counts.sort((a, b) => b.count - a.count).slice(0, 10)
  expect(sum, JSON.stringify(top)).toBeLessThanOrEqual(limit)
  const staleness = `lower the limit of ${name} in test/rules/limits.test.ts to ${sum}`
  expect(limit - sum <= slack || limit <= goal, staleness).toBe(true)
})

it.each(Object.entries(contract))('%s has no more members than its limit', (name, { file, limit }) => {
  expect(memberCounts(file).find((type) => type.name === name)?.members).toBe(limit)
})

it(`no other type has more than ${maxMembers} members outside of reports`, () => {
  const sizes = sources()
    .filter((file) => !isReport(file))
    .flatMap((file) => memberCounts(file).map(({ name, members }) => [`${file} ${name}`, members] as const))
  expect(Object.fromEntries(sizes.filter(([, members]) => members > maxMembers))).toEqual(largeTypes)
})

it('the loop of an agent stays one page', () => {
  expect(lineCount('internal/agent/loop.ts')).toBeLessThanOrEqual(maxLoopLines)
})

it('no room has more than a tenth of the lines', () => {
  const lines = new Map<string, number>()
  for (const file of sources()) {
    const [top = '', room = '', feature = ''] = file.split('/')
    const name = top === 'cmd' ? top : room === 'service' ? `service/${feature}` : room
    lines.set(name, (lines.get(name) ?? 0) + lineCount(file))
  }
  const total = [...lines.values()].reduce((sum, one) => sum + one, 0)
  expect([...lines].filter(([, count]) => count > maxRoomShare * total)).toEqual([])
})

it.each(Object.entries(eventReaders))('few files name the event %s', (type, limit) => {
  const readers = sources().filter(
    (file) => !file.startsWith('internal/event/') && read(file).includes(`'${type}'`),
  )
  expect(readers.length, readers.join('\n')).toBeLessThanOrEqual(limit)
})
