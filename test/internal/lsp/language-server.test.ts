// Servers that misbehave: no call hangs, no old data is shown as current, and no server survives the program.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import type { LspServerEntry } from '../../../internal/lsp/config/server-entry.ts'
import { createServer, type ServerPatience } from '../../../internal/lsp/language-server.ts'
import { at, never, question, serve } from '../../support/language-servers.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'
import { root } from '../../support/sources.ts'

const text = 'one\ntwo bad\nthree\n'

function start(mode: string, patience?: ServerPatience) {
  const dir = scratchWith({ 'a.x': text })
  const log = join(scratch(), 'log')
  const entry: LspServerEntry = {
    ...{ name: 'fake', program: process.execPath, env: {}, origin: 'test', extensions: { '.x': 'x' } },
    args: [join(root, 'test/support/fake-server.mjs'), mode, log],
  }
  const servers = serve(dir, [entry], patience ? { patience } : {})
  const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').match(/start/g) : null)?.length ?? 0
  return { dir, file: join(dir, 'a.x'), servers, starts, entry }
}

const hover = (file: string, line: number) => question('hover', { file, at: { line, character: 0 } })

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code
    throw error
  }
}

/** Returns a signal that settles while the servers run, or the test fails at its time limit. */
const soon = AbortSignal.timeout

it('matches responses that arrive out of order', async () => {
  const { file, servers } = start('out-of-order')
  const replies = await Promise.all([0, 1, 2].map((line) => servers.query(hover(file, line), never)))
  expect(replies.map((one) => one.text)).toEqual([0, 1, 2].map((line) => `line ${line} character 0`))
})

it('restarts a crashed server three times, and then no more', async () => {
  const { file, servers, starts } = start('crash-in-call', { backoff: [1, 1, 1] })
  for (let i = 1; i <= 4; i++) {
    expect(await codeOf(servers.query(hover(file, 0), never))).toBe('unavailable')
    expect(starts()).toBe(i)
  }
  await expect(servers.query(hover(file, 0), never)).rejects.toThrow(
    /started 4 times and is given up: it ended with exit 4/,
  )
  expect(starts()).toBe(4)
})

it('reports why a server does not start', async () => {
  const { file, servers } = start('crash-at-start')
  await expect(servers.query(hover(file, 0), never)).rejects.toThrow(/exit 3/)
  const { servers: gone, file: other } = (() => {
    const made = start('plain')
    const entry = { ...made.entry, program: '/nowhere/server' }
    return { file: made.file, servers: serve(made.dir, [entry]) }
  })()
  await expect(gone.query(hover(other, 0), never)).rejects.toThrow(/does not start: program not found/)
})

it.each(['wrong-length', 'huge', 'huge-at-once', 'chatter'])(
  'ends a server that breaks the framing: %s',
  async (mode) => {
    const { file, servers, starts } = start(mode, { backoff: [1, 1, 1] })
    // on a busy machine it breaks the framing before its start has finished
    const session = await servers
      .of(file)
      ?.ready({ timeoutMs: 10_000, signal: never })
      .catch(() => undefined)
    await session?.client.ended
    expect(servers.of(file)?.state().fault).toMatch(/JSON|bytes|protocol|Content-Length/)
    expect(await codeOf(servers.query(hover(file, 0), never))).toMatch(/none|unavailable/)
    expect(starts()).toBe(2)
  },
)

it('reads a flood no faster than it handles it, and still gets its response', async () => {
  const { file, servers } = start('flood')
  const before = process.memoryUsage().rss
  const { text: output } = await servers.query(hover(file, 1), never)
  expect(output).toBe('line 1 character 0')
  const [report] = await servers.diagnose([file], 10_000, never)
  expect(report).toMatchObject({ state: 'fresh', diagnostics: [{ message: 'found bad' }] })
  expect(servers.known().length).toBeLessThanOrEqual(2_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20)
}, 60_000)

it('ends a server that sends requests without reading the responses', async () => {
  const { file, servers } = start('greedy')
  const session = await servers.of(file)?.ready({ timeoutMs: 10_000, signal: never })
  expect(await session?.client.ended).toBe('it asks without reading the answers')
}, 60_000)

it.each(['stall', 'deaf'])('does not wait for a server that is silent: %s', async (mode) => {
  const { file, servers, starts } = start(mode, { backoff: [1, 1, 1], patienceMs: 0 })
  const ready = () => servers.of(file)?.ready({ timeoutMs: 20_000, signal: never })
  await ready()
  const [report] = await servers.diagnose([file], 300, never)
  expect(report).toMatchObject({ state: 'timeout', diagnostics: [] })
  // it was silent the whole time, so it has been ended
  await ready()
  expect(starts()).toBe(2)
  const written = [{ path: file, shown: 'a.x', kind: 'changed' as const }]
  expect(await Promise.race([servers.edited(written, never), sleep(10_000, 'held up')])).toEqual([])
  expect(await codeOf(servers.query(hover(file, 0), soon(300)))).toBe('cancelled')
})

it('gives up on a missing handshake when the call is cancelled, and ends with the program', async () => {
  const { file, servers } = start('mute')
  expect(await codeOf(servers.query(hover(file, 0), soon(300)))).toBe('cancelled')
  await servers.stop()
})

it('ends a server that ignores every shutdown request', async () => {
  const { file, servers } = start('immortal')
  const session = await servers.of(file)?.ready({ timeoutMs: 10_000, signal: never })
  await servers.stop()
  expect(await session?.client.ended).toMatch(/SIGKILL/)
})

it('shows a report only for the version it was made for', async () => {
  const { file, servers } = start('stale')
  const first = await servers.diagnose([file], 10_000, never)
  expect(first[0]?.diagnostics.map((one) => one.message)).toEqual(['found bad'])
  writeFileSync(file, text.replace('bad', 'badly bad2'))
  const now = await servers.diagnose([file], 0, never)
  expect(now[0]).toMatchObject({ state: 'pending', diagnostics: [] })
  const second = await servers.diagnose([file], 10_000, never)
  expect(second[0]).toMatchObject({ state: 'fresh', change: { added: 2, fixed: 1, unchanged: 0 } })
  expect(second[0]?.diagnostics.map((one) => one.message)).toEqual(['found badly', 'found bad2'])
})

it('does not treat a first empty list without a version as final', async () => {
  const { file, servers } = start('late')
  const [report] = await servers.diagnose([file], 10_000, never)
  expect(report).toMatchObject({ state: 'fresh', diagnostics: [{ message: 'found bad' }] })
})

it('accepts lists without a version once the server has been quiet', async () => {
  const { file, servers } = start('unversioned')
  const [report] = await servers.diagnose([file], 10_000, never)
  expect(report).toMatchObject({ state: 'fresh', diagnostics: [{ message: 'found bad' }] })
  writeFileSync(file, text.replace('bad', 'good'))
  const [after] = await servers.diagnose([file], 10_000, never)
  expect(after).toMatchObject({
    state: 'fresh',
    diagnostics: [],
    change: { added: 0, fixed: 1, unchanged: 0 },
  })
})

it('limits the size of responses and skips invalid ones', async () => {
  const { file, servers } = start('hostile')
  const { hits } = await servers.query(
    question('goToDefinition', { file, at: { line: 0, character: 0 } }),
    never,
  )
  expect(hits.length).toBeLessThanOrEqual(20_000)
  expect(hits.slice(0, 3).map((hit) => hit.path)).toEqual(['/etc/passwd', 'https://example.org/x', file])
})

it('uses the column units of a server that requires UTF-8', async () => {
  const { file, servers } = start('utf8')
  writeFileSync(file, 'äö👍x = 1\n')
  const x = at('äö👍x = 1\n', 'x')
  expect(x.character).toBe(4)
  const { text: output } = await servers.query(question('hover', { file, at: x }), never)
  expect(output).toBe('line 0 character 8')
  const { hits } = await servers.query(question('goToDefinition', { file, at: x }), never)
  expect(hits).toEqual([{ path: file, ...x }])
})

it('opens a file once for two simultaneous requests, and follows the disk', async () => {
  const { dir, file, servers } = start('plain')
  await Promise.all([servers.query(hover(file, 0), never), servers.query(hover(file, 1), never)])
  writeFileSync(join(dir, 'b.x'), 'bad\n')
  const [a, b] = await servers.diagnose([file, join(dir, 'b.x')], 10_000, never)
  expect([a?.diagnostics.length, b?.diagnostics.length]).toEqual([1, 1])
  writeFileSync(file, 'fine\n')
  const [after] = await servers.diagnose([file], 10_000, never)
  expect(after).toMatchObject({ state: 'fresh', diagnostics: [], change: { fixed: 1 } })
})

it('does not start after it was stopped', async () => {
  const { dir, entry } = start('plain')
  const server = createServer(entry, dir, async () => {
    throw new Error('started')
  })
  await server.stop()
  expect(await codeOf(server.ready({ timeoutMs: 1000, signal: never }))).toBe('cancelled')
})
