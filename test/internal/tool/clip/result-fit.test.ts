// The size limit of a result for a model, for every tool that shows files or output, and access to the rest.
import { expect, test } from 'vitest'
import { scheduleCalls, shareRoom } from '../../../../internal/agent/reply-calls.ts'
import { createCallNumbering } from '../../../../internal/tool/call-ids.ts'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import { resultRoomOf } from '../../../../internal/tool/clip/result-fit.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import { nativeTools } from '../../../../internal/tools/index.ts'
import { changeCtx, ctxWith } from '../../../support/ctx.ts'
import { rng } from '../../../support/rng.ts'
import { run } from '../../../support/run.ts'
import { rounds, sampleRows } from '../../../support/sample.ts'
import { plant } from '../../../support/search.ts'

const next = rng(28)
const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T
const word = () => pick(['orchid', 'lily', '日本語', 'é', '𝒳', 'x1y2', '\t', 'foo(bar)'])
const lineOf = (words: number) => Array.from({ length: words }, word).join(' ')

const files: Record<string, string> = { 'huge.min.js': `var a="${'orchid '.repeat(280_000)}"` }
for (let i = 0; i < 40; i++) {
  const lines = Array.from({ length: Math.floor(next() * 900) }, () => lineOf(next() < 0.02 ? 2_000 : 8))
  files[`src/d${i % 7}/f${i}.ts`] = lines.join('\n')
}
const dir = plant(files)
const names = Object.keys(files)

const kept = new Map<string, string>()
const entries = await Promise.all(
  Object.values(nativeTools).map(async (load) => {
    const tool = await load()
    return { ...toToolDescription(tool, 'native'), load: async () => tool, hidden: undefined }
  }),
)
function contextWith(resultRoom: number | undefined, cwd = dir) {
  return ctxWith(
    { processes: { run } },
    {
      cwd,
      seen: undefined,
      env: { PATH: process.env.PATH },
      gate: { nextCall: createCallNumbering('call_'), ask: async () => ({ allow: true, why: 'test' }) },
      log: {
        append: async () => undefined,
        keep: async (call, content) => {
          kept.set(call, String(content))
          return 'hash'
        },
      },
      ...(resultRoom !== undefined && { agent: { resultRoom } }),
    },
  )
}

function callerWith(resultRoom: number | undefined, cwd = dir) {
  const ctx = contextWith(resultRoom, cwd)
  return (name: string, args: Record<string, unknown>) => invoke(createCatalog(entries), ctx, { name, args })
}

const windows = [8_000, 22_000, 128_000, 1_000_000]

/** Returns a call of a random reading tool. */
function anyCall(): [string, Record<string, unknown>] {
  const path = pick(names)
  return pick<() => [string, Record<string, unknown>]>([
    () => ['read', { path }],
    () => ['read', { path, start_line: 1 + Math.floor(next() * 50), max_bytes: 2_097_152 }],
    () => ['read', { path: 'huge.min.js' }],
    () => ['multi_read', { paths: Array.from({ length: 10 }, () => pick(names)) }],
    () => ['grep', { pattern: pick(['orchid', 'o', ' ']), context: pick([0, 0, 3]) }],
    () => ['grep', { pattern: '.', regex: true, max_matches: 10_000 }],
    () => ['finder', { query: 'orchid', limit: 10_000 }],
    () => ['glob', { pattern: '**/*', limit: 10_000 }],
    () => ['bash', { command: `cat ${path}` }],
  ])()
}

test.each(windows)('results of generated calls with a window of %i tokens', async (window) => {
  const room = resultRoomOf(window)
  expect(room).toBeLessThanOrEqual(Math.max(4_000, Math.min(60_000, window / 2)))
  const call = callerWith(room)
  for (let i = 0; i < rounds(6, 200); i++) {
    const [name, args] = anyCall()
    const { text, truncated, call: id } = await call(name, args)
    const shown = `${name} ${JSON.stringify(args)}: ${text.length} characters`
    expect(text.length, shown).toBeLessThanOrEqual(room)
    if (name !== 'bash') for (const line of text.split('\n')) expect(line.length, shown).toBeLessThan(2_100)
    if (truncated) {
      expect(text).toContain(`{"call_id": "${id}"}`)
      expect(kept.get(id)?.length).toBeGreaterThan(text.length - 600)
    }
    if (name === 'grep') {
      const lines = text.split('\n').filter((line) => /^[^[\n]*[:-]\d+[:-]/.test(line))
      expect(lines.length, shown).toBeLessThanOrEqual(200)
      expect(lines.join('\n').length, shown).toBeLessThanOrEqual(20_000)
    }
  }
})

test('start_line leads through a whole file', async () => {
  const lines = Array.from({ length: 1_500 }, (_, i) => `line ${i} ${'x'.repeat(i % 90)}`)
  const call = callerWith(resultRoomOf(22_000), plant({ 'a.txt': lines.join('\n') }))
  const seen: string[] = []
  let next: { start_line: number; end_line?: number } | undefined = { start_line: 1, end_line: 1_500 }
  for (let i = 0; next && i < 60; i++) {
    const { text } = await call('read', { path: 'a.txt', ...next })
    seen.push(...text.split('\n').flatMap((line) => /^\d+\t(.*)$/.exec(line)?.[1] ?? []))
    const [, start, end] = /continue with start_line (\d+)(?:, end_line (\d+))?/.exec(text) ?? []
    next =
      start === undefined
        ? undefined
        : { start_line: Number(start), ...(end !== undefined && { end_line: Number(end) }) }
  }
  expect(seen).toEqual(lines)
})

test('grep shows the most relevant files, counts the rest and stores all results', async () => {
  const tree: Record<string, string> = { 'src/orchid.ts': 'export function orchid() {}\norchid()\n' }
  for (let i = 0; i < 300; i++) tree[`dist/a${i}.min.js`] = 'orchid\n'.repeat(20)
  const { text, call: id } = await callerWith(60_000, plant(tree))('grep', { pattern: 'orchid' })
  expect(text.split('\n')[0]).toContain('src/orchid.ts:1:')
  expect(text).toMatch(/\[200 of 6,002 matching lines in 301 files, most relevant files first; /)
  expect(kept.get(id)?.match(/dist\/a299\.min\.js:20:/)).not.toBeNull()
})

test('a direct call has only the limits of the contract', async () => {
  const long = plant({ 'a.txt': `${'y'.repeat(50_000)}\n${'orchid\n'.repeat(300)}` })
  const call = callerWith(undefined, long)
  expect((await call('read', { path: 'a.txt' })).text).toContain('y'.repeat(50_000))
  const hits = (await call('grep', { pattern: 'orchid', max_matches: 300 })).text
  expect(hits.split('\n').filter((line) => line.includes(':orchid'))).toHaveLength(300)
})

test('removes control sequences of programs for a model, not for a direct call', async () => {
  const command = String.raw`printf '\033[0;32mPASSED\033[0m \033]8;;http://x\033\\link\033]8;;\033\\ \033[2Kdone'`
  expect((await callerWith(60_000)('bash', { command })).text).toMatch(/^PASSED link done\n/)
  expect((await callerWith(undefined)('bash', { command })).text).toContain('\u001b[0;32m')
})

test('cuts the diff of an edit at 40 lines', async () => {
  const tree = plant({ 'a.ts': 'orchid\n\n\n\n\n\n\n\n'.repeat(30) })
  const edit = { path: 'a.ts', old_str: 'orchid', new_str: 'lily', replace_all: true }
  const { text, call: id } = await callerWith(60_000, tree)('edit_file', { ...edit, dry_run: true })
  expect(text.split('\n').length).toBeLessThan(46)
  expect(text).toMatch(/… \d+ more lines of the diff/)
  expect(kept.get(id)?.match(/^\+lily/gm)).toHaveLength(30)
  expect((await callerWith(undefined, tree)('edit_file', edit)).text.match(/^\+lily/gm)).toHaveLength(30)
})

test.each(
  sampleRows(
    windows.flatMap((window) => [2, 3, 8, 20].map((calls) => [window, calls] as const)),
    3,
  ),
)('a window of %i: the results of %i calls of one turn share the space of one', async (window, count) => {
  const room = resultRoomOf(window)
  const requests = Array.from({ length: count }, () => anyCall()).map(([name, args], i) => ({
    ...{ name, args, modelCall: `c${i}` },
  }))
  const ctx = changeCtx(contextWith(room), {
    agent: { resultRoom: room, turnRoom: shareRoom(room, count) },
  })
  let chars = 0
  for await (const { text } of scheduleCalls(createCatalog(entries), ctx, requests)) chars += text.length
  expect(chars).toBeLessThanOrEqual(Math.max(room, count * 1_500) + count * 200)
})

test('the space that short results do not use goes to the others', async () => {
  const large = Array.from({ length: 900 }, (_, i) => `${i} ${'word '.repeat(40)}`).join('\n')
  const tree = plant({ 'small.txt': 'x\n', 'large.txt': large })
  const requests = ['small.txt', 'small.txt', 'small.txt', 'large.txt'].map((path, i) => ({
    ...{ name: 'bash', args: { command: `head -c 29000 ${path}` }, modelCall: `c${i}` },
  }))
  const ctx = changeCtx(contextWith(30_000, tree), {
    agent: { resultRoom: 30_000, turnRoom: shareRoom(30_000, 4) },
  })
  const sizes: number[] = []
  for await (const { text } of scheduleCalls(createCatalog(entries), ctx, requests)) sizes.push(text.length)
  expect(sizes[3]).toBeGreaterThan(20_000)
  expect(sizes.reduce((sum, one) => sum + one, 0)).toBeLessThan(30_000)
})

const hidden = ['\u{e0041}', '\u202e', '\u200b', '\u2066', '\x9b', '\x08', '\ufeff', '\u{e0101}']
const hiddenDir = plant(
  Object.fromEntries(hidden.map((char, i) => [`f${i}.md`, `one\nrun${char} tests${char}\n`])),
)

test.each(hidden.map((char, i) => [char.codePointAt(0)?.toString(16), i]))(
  'U+%s is escaped for a model, and only there',
  async (digits, i) => {
    const char = hidden[i as number] as string
    for (const [tool, args] of [
      ['read', { path: `f${i}.md` }],
      ['grep', { pattern: 'run', path: `f${i}.md` }],
      ['bash', { command: `cat f${i}.md`, description: 'Show it' }],
    ] as const) {
      const { text } = await callerWith(60_000, hiddenDir)(tool, args)
      expect(text, tool).not.toContain(char)
      // grep escapes them differently, and program output has already lost whole control sequences
      if (tool === 'read' || (tool === 'bash' && char !== '\x9b'))
        expect(text, tool).toContain(`run\\u{${digits}}`)
      if (tool === 'read') expect(text).toMatch(new RegExp(`note: hidden characters in .*f${i}\\.md: 2`))
    }
    expect((await callerWith(undefined, hiddenDir)('read', { path: `f${i}.md` })).text).toContain(char)
  },
)
