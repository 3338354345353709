// The manual, read, paged and searched with the built program.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renamedPages } from '../../internal/service/doctor/manual-pages.ts'
import { type World, world } from '../support/anode.ts'
import { anodeLine, hasTmux, openTerminal } from '../support/tmux.ts'

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

test('lists its pages, as text and as JSON', async () => {
  const { out } = await w.anode(['manual'])
  expect(out).toMatch(/^Start\n {2}getting-started +install .+\n[\s\S]*^ {2}permissions +decide /m)
  expect(out).toMatch(/^Jobs\n[\s\S]*^Extend\n[\s\S]*^Reference\n[\s\S]*^Contributors\n/m)
  const pages = JSON.parse((await w.anode(['manual', '--json'])).out) as { page: string; title: string }[]
  expect(pages).toContainEqual({ page: 'tools/grep', title: 'grep' })
  expect(pages.filter(({ title }) => title === '')).toEqual([])
})

test.each(['permissions', 'manual/permissions.md', 'PERMISSIONS'])('%s opens the page', async (name) => {
  expect((await w.anode(['manual', name])).out).toMatch(/^# Permissions/)
})

test('the last part of a name is enough if it is unique; a command comes before a tool', async () => {
  expect((await w.anode(['manual', 'multi_read'])).out).toContain('# multi_read')
  expect((await w.anode(['manual', 'doctor'])).out).toContain('# anode doctor')
})

test.each(['permisions', '../../../etc/passwd', '../README'])(
  'rejects %s as an unknown page',
  async (name) => {
    const { code, out, err } = await w.anode(['manual', name])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('the manual has no page')
  },
)

test('opens a page by its former name', async () => {
  for (const [former, page] of [...Object.entries(renamedPages)].slice(0, 3)) {
    const { out } = await w.anode(['manual', former])
    expect(out, former).toBe((await w.anode(['manual', page])).out)
  }
})

test('--search lists page, heading and line of each match, best first', async () => {
  const { code, out } = await w.anode(['manual', '--search', 'sandbox'])
  expect(code).toBe(0)
  expect(out).toMatch(/^sandbox:1 {2}Sandbox\n {4}# Sandbox\n/)
  const json = JSON.parse((await w.anode(['manual', '--search', 'sandbox', '--json'])).out)
  expect(json[0]).toEqual({ page: 'sandbox', heading: 'Sandbox', line: 1, text: '# Sandbox' })
  expect(json.length).toBeGreaterThan(20)
})

test('--search without a match exits with code 1 and suggests a next step', async () => {
  const { code, out, err } = await w.anode(['manual', '--search', 'flabbergast'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('No line of the manual contains "flabbergast"')
  expect(err).toContain('list the pages with `anode manual`')
  const json = await w.anode(['manual', '--search', 'flabbergast', '--json'])
  expect({ code: json.code, out: json.out }).toEqual({ code: 1, out: '[]\n' })
})

test.each([
  [['manual', '--search', ' '], '--search needs a word'],
  [['manual', '--search', 'exit', 'codes'], 'anode manual --search "exit codes"'],
])('rejects %j', async (words, message) => {
  const { code, out, err } = await w.anode(words)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(message)
})

test('starts no pager in a pipe', async () => {
  const { out } = await w.anode(['manual', 'permissions'], { env: { PAGER: 'cat > paged' } })
  expect(out).toMatch(/^# Permissions/)
  expect(existsSync(join(w.dir, 'paged'))).toBe(false)
})

test.skipIf(!hasTmux()).each<[words: string[], env: Record<string, string>, isPaged: boolean]>([
  [['permissions'], { PAGER: 'cat > paged' }, true],
  [['--search', 'sandbox'], { PAGER: 'cat > paged' }, true],
  [['--search', 'sandbox', '--json'], { PAGER: 'cat > paged' }, false],
  [['permissions'], { PAGER: 'cat' }, false],
  [['permissions'], { PAGER: '' }, false],
  [['permissions'], { PAGER: 'no-such-pager' }, false],
])('on a terminal: anode manual %j with %j', async (words, env, isPaged) => {
  const file = join(w.dir, 'paged')
  rmSync(file, { force: true })
  const terminal = openTerminal(anodeLine('manual', ...words), {
    ...{ cwd: w.dir, rows: 10 },
    env: { HOME: w.data, ANODE_DATA_DIR: w.data, ...env },
  })
  expect(await terminal.exit()).toBe(0)
  expect(existsSync(file)).toBe(isPaged)
  if (isPaged) expect(readFileSync(file, 'utf8').length).toBeGreaterThan(1_000)
  else expect(terminal.lines()).toMatch(/Permissions|"page": "sandbox"/)
})
