// Output of the built program to a real terminal that is slow, small, resized or remote, and hostile
// text in it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createUlid } from '../../../internal/base/ids.ts'
import type { Event, EventDraft } from '../../../internal/event/event.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import { hostile, random } from '../../internal/render/random.ts'
import { forbiddenBytes } from '../../support/emulator.ts'
import { full, rounds, sampleRows } from '../../support/sample.ts'
import { openScreenWorld, type ScreenWorld } from '../../support/screen-program.ts'
import { untilAnswerable } from '../../support/waiting.ts'
import { serveWords } from '../../support/word-server.ts'

const sleepMs = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isIn = (text: string, part: string) => text.split(part).length - 1
/** Returns the resident memory in MiB. */
const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

const drawn: [string][] = [['inline'], ['full']]

describe('a terminal that no one reads', () => {
  it.each(sampleRows(drawn, 2))('stops only its drawing, and no buffer grows (%s)', async (form) => {
    const here = openScreenWorld([])
    const model = await serveWords(here, 6_000, { atOnce: 60, ms: 5 })
    const { program, type, until, bytes, exit } = here.start([...model, '--screen', form], {
      columns: 100,
      rows: 40,
    })
    await until(/\? help/)
    const before = memoryOf(program.pid)
    program.pause()
    const written = bytes().length
    type('go')
    type('\r')
    await expect.poll(() => here.stored(), { timeout: 60_000 }).toContain('run.ended')
    type('!!touch answered')
    await expect.poll(() => here.drafts().join(''), { timeout: 60_000 }).toContain('touch answered')
    type('\r')
    await until(() => existsSync(join(here.dir, 'answered')))
    expect(memoryOf(program.pid) - before).toBeLessThan(60)
    program.resume()
    await until(/word5999\.[\s\S]*done/)
    // an answer is written once, however often it was drawn meanwhile
    expect(bytes().length - written).toBeLessThan(150_000)
    program.pause()
    type('again')
    await expect.poll(() => here.drafts().join(''), { timeout: 60_000 }).toContain('again')
    type('\r')
    await expect.poll(() => here.stored(), { timeout: 60_000 }).toMatch(/"again"/)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

const links: [string, Record<string, string>, number][] = [
  ['here', {}, 30],
  ['over SSH', { SSH_CONNECTION: '127.0.0.1 1 127.0.0.1 2' }, 10],
]

it.each(links)('draws at most so many frames a second (%s)', async (_, env, most) => {
  const here = openScreenWorld([])
  const { until, bytes, exit, program } = here.start([...(await serveWords(here, 120)), 'go'], {}, env)
  await until(/word3/)
  const [from, at] = [Date.now(), bytes().length]
  await until(/word110/)
  const seconds = (Date.now() - from) / 1_000
  const frames = isIn(bytes().slice(at), '\x1b[?2026h')
  expect(frames / (seconds + 0.2)).toBeLessThanOrEqual(most + 1)
  expect(frames).toBeGreaterThan(2)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

it.each(sampleRows(drawn, 2))(
  'survives many changes of size, and prints nothing twice (%s)',
  async (form) => {
    const here = openScreenWorld([])
    const model = await serveWords(here, 360)
    // the emulator of this test behaves the same
    const env = { TERM_PROGRAM: 'vscode' }
    const { until, bytes, lines, resize, type, exit } = here.start(
      [...model, '--screen', form, 'go'],
      {},
      env,
    )
    const next = random(7)
    const storm = async (sizes: number) => {
      for (let i = 0; i < sizes; i++) {
        await resize(50 + Math.floor(next() * 90), 20 + Math.floor(next() * 20))
        await sleepMs(i % 8 === 7 ? 150 : 5 + next() * 20)
      }
      await resize(80, 24)
      await sleepMs(200)
    }
    const ends = Array.from({ length: 30 }, (_, i) => `word${i * 12 + 11}.`)
    const count = () => ends.map((end) => isIn(lines(), end))
    await until(/word30/)
    await storm(40)
    await until(/done /)
    const streamed = count()
    // frames in progress while the emulator changes its size more than once may leave rows behind
    if (form === 'inline') expect(Math.min(...streamed)).toBe(1)
    else expect(Math.max(...streamed)).toBe(1)
    expect(streamed.filter((times) => times > 1).length).toBeLessThanOrEqual(6)
    await storm(20)
    if (form === 'inline') expect(count()).toEqual(streamed)
    else expect(Math.max(...count())).toBe(1)
    expect(bytes()).not.toMatch(/\x1b\[[23]J/)
    expect(forbiddenBytes(bytes())).toEqual([])
    type('\x04')
    type('\x04')
    expect(await exit).toBe(0)
    // the last text stays, also on the full screen
    expect(isIn(lines(), 'word359.')).toBe(1)
  },
)

const spoken = ['inline', 'full', 'plain'].flatMap((form) =>
  Array.from({ length: 6 }, (_, i) => [form, i] as const),
)

it.each(sampleRows(spoken, 5))(
  'passes no control sequence of other programs on (%s, %i)',
  async (form, seed) => {
    const rng = random(seed)
    const text = () => hostile(rng, 60)
    const { start, model, put } = openScreenWorld([
      { text: text(), calls: [{ name: 'bash', args: { command: 'cat hostile; cat hostile >&2' } }] },
      { text: text(), calls: [{ name: text(), args: { [text()]: text() } }] },
      { text: 'the end of it' },
    ])
    put('hostile', Array.from({ length: 200 }, text).join('\n'))
    const words = [
      ...model,
      '--screen',
      form,
      '--approval',
      'unrestricted',
      `go ${text().replaceAll('\0', '')}`,
    ]
    const { until, bytes, program, exit } = start(words)
    await until(/the end of it[\s\S]*done/)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
    if (form === 'plain') expect(bytes()).not.toMatch(/[^\P{Cc}\r\n\x07]/u)
    else expect(forbiddenBytes(bytes())).toEqual([])
    expect(bytes()).not.toMatch(form === 'full' ? /\x1b\[3J/ : /\x1b\[[23]J/)
  },
)

describe('a small or simple terminal', () => {
  it('prints below 20x6 what it needs, and keeps the typed text', async () => {
    const { start, model, drafts } = openScreenWorld([{ text: 'hello' }])
    const { until, type, resize, program, exit } = start(model, { columns: 40, rows: 12 })
    await until(/\? help/)
    type('half a ')
    await until(/half a/)
    await resize(18, 5)
    await until(/needs 20x6/)
    type('thought')
    await expect.poll(() => drafts().join(''), { timeout: 60_000 }).toContain('half a thought')
    await resize(40, 12)
    await until(/half a thought/)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })

  it.each(sampleRows(drawn, 2))(
    'ignores keys for a question that does not fit the terminal (%s)',
    async (form) => {
      const args = { command: 'touch made' }
      const here = openScreenWorld([{ calls: [{ name: 'bash', args }] }, { text: 'told' }])
      const words = [...here.model, '--screen', form, '--approval', 'ask', 'go']
      const { until, type, resize, program, exit } = here.start(words, { columns: 60, rows: 24 })
      await until(/Esc later/)
      await resize(18, 5)
      await until(/needs 20x6/)
      await untilAnswerable('key')
      for (const key of ['y', 's', 'a']) type(key)
      await expect.poll(() => here.drafts().join(''), { timeout: 60_000 }).toContain('ysa')
      await resize(60, 24)
      await until(/touch made[\s\S]*Esc: decide later[\s\S]*─\n ysa/)
      expect(existsSync(join(here.dir, 'made'))).toBe(false)
      type('y')
      await until(/told/)
      expect(existsSync(join(here.dir, 'made'))).toBe(true)
      program.kill('SIGTERM')
      expect(await exit).toBe(143)
    },
  )

  it.each(sampleRows(drawn, 2))('uses only ASCII on a terminal without Unicode (%s)', async (form) => {
    const todos = [{ content: 'fix it', status: 'in_progress' }]
    const { start, model } = openScreenWorld([
      { text: 'I do.\n\n- a\n- b', calls: [{ name: 'todo_write', args: { todos } }] },
      { text: '| a | b |\n|---|---|\n| 1 | 2 |' },
    ])
    const { until, type, bytes, program, exit } = start(
      [...model, '--screen', form, 'go'],
      { columns: 120 },
      { LC_ALL: 'C' },
    )
    await until(/done /)
    type('?')
    await until(/Space next/)
    type('G')
    await until(/redraw/)
    expect(bytes()).not.toMatch(/[^\0-\x7f]/)
    program.kill('SIGTERM')
    expect(await exit).toBe(143)
  })
})

/** Stores a thread as sessions store it. */
async function storeThread({ data, dir }: ScreenWorld, exchanges: number): Promise<string> {
  const store = await openStore(data)
  const made = { workspace: dir, title: 'long', profile: 'craft', model: 'builtin/extract' }
  const { id } = store.threads.create(made)
  for (let n = 0; n < exchanges; n++) {
    const drafts: EventDraft[] = [{ type: 'message', payload: { role: 'user', text: `question ${n}` } }]
    for (let i = 0; i < 4; i++) {
      const of = { call: `c${n}.${i}`, tool: 'read', args: { path: 'src/a.ts' } }
      drafts.push({ type: 'tool.call', payload: of })
      drafts.push({
        type: 'tool.result',
        payload: { ...of, ok: true, text: 'export const a = 1\n'.repeat(20) },
      })
    }
    drafts.push({ type: 'message', payload: { role: 'assistant', text: `answer ${n}` } })
    const frame = (seq: number) => ({ id: createUlid(), run_id: `r${n}`, seq, ts: Date.now() })
    store.threads.append(
      id,
      `r${n}`,
      drafts.map((draft, i) => ({ ...draft, ...frame(i + 1) }) as Event),
    )
  }
  store.close()
  return id
}

it('draws the last two exchanges of a long thread, and pages back to its beginning', async () => {
  const exchanges = rounds(120, 1_000)
  const here = openScreenWorld([])
  const thread = await storeThread(here, exchanges)
  const { until, screen, bytes, type, program, exit } = here.start(['--resume', thread])
  await until(/\? help/)
  const earlier = ((exchanges - 2) * 10).toLocaleString('en')
  await until(new RegExp(`${earlier} earlier events; Ctrl-O shows them`))
  expect(screen()).toContain(`answer ${exchanges - 1}`)
  expect(screen()).not.toContain(`question ${exchanges - 3}`)
  expect(bytes().length).toBeLessThan(20_000)
  type('\x0f')
  await until(/Esc back/)
  for (let i = 0; i < (full ? 3_000 : 60) && !/question 0\b/.test(screen()); i++) {
    type('\x1b[H')
    await sleepMs(20)
  }
  await until(/question 0\b/)
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})

it.each(['?', '/help\r'])(
  'shows help on a page with %j, and leaves nothing of it in the scrollback',
  async (keys) => {
    const { start, model } = openScreenWorld([{ text: 'Said.' }])
    const screen = start([...model, 'go'])
    await screen.until(/Said\.[\s\S]*done[\s\S]*\? help/)
    screen.type(keys.replace('\r', ''))
    if (keys.endsWith('\r')) {
      await screen.until(/Enter (?:runs|sends)/)
      screen.type('\r')
    }
    await screen.until(/Commands[\s\S]*lines 1-\d+ of \d+ {2}Space next/)
    screen.type('\x1b')
    await screen.until(/Said\.[\s\S]*done[\s\S]*\? help/)
    expect(screen.screen()).not.toContain('/compact')
  },
)
