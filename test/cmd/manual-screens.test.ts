// The screens in the manual: the same calls on a real terminal look the same, except for paths,
// times and counts.
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { read } from '../support/sources.ts'
import { anodeLine, openTerminal } from '../support/tmux.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0

let at: World
beforeEach(() => {
  at = world()
})
afterEach(() => at.remove())

/** Lines of the block of a page that has this line. */
function shownWith(page: string, line: string): string[] {
  const blocks = [...read(page).matchAll(/^```(?:text)?\n([\s\S]*?)\n```$/gm)].map(([, body = '']) =>
    body.split('\n'),
  )
  const found = blocks.find((rows) => rows.some((row) => row.startsWith(line)))
  if (!found) throw new Error(`${page} shows no ${line}`)
  return found
}

function start(replies: readonly object[], words: readonly string[], columns = 80) {
  at.put('../replies.jsonl', replies.map((reply) => `${JSON.stringify(reply)}\n`).join(''))
  const line = anodeLine('execute', 'go', '--model', 'script:../replies.jsonl', ...words)
  return openTerminal(line, {
    cwd: at.dir,
    env: { HOME: at.data, ANODE_DATA_DIR: at.data },
    rows: 60,
    columns,
  })
}

const call = (name: string, args: object) => ({ calls: [{ name, args }] })

/** The place, and figures that no two runs share. */
const plain = (rows: readonly string[]) =>
  rows.map((row) =>
    row
      .replaceAll(at.dir, '/home/ada/shop')
      .replace(/^(.*?) +\d[\d.]* m?s$/, (_, before: string) => `${before.replace(/ +/g, ' ')} <time>`)
      .trimEnd(),
  )

describe.skipIf(!hasTmux)('screens of the manual', () => {
  it('the prompts of the page on approvals', async () => {
    at.put('cart.py', 'def total(a, b):\n    return a - b\n')
    const edit = { path: 'cart.py', edits: [{ old: 'a - b', new: 'a + b' }] }
    const push = call('bash', { command: 'git push origin main' })
    const terminal = start([push, call('edit_file', edit), { text: 'end' }], [])
    for (const tool of ['bash', 'edit_file']) {
      const rows = plain(
        await terminal.until(
          (text) =>
            text.lastIndexOf('Esc denies') > text.indexOf(`Allow ${tool}?`) &&
            text.includes(`Allow ${tool}?`),
        ),
      )
      const page = shownWith('manual/approvals.md', `Allow ${tool}?`)
      const from = rows.indexOf(`Allow ${tool}?`)
      expect(rows.slice(from, from + page.length)).toEqual(page)
      terminal.press('Escape')
    }
    expect(await terminal.exit()).toBe(0)
  })

  it('the run of the page on agents', async () => {
    at.put('src/total.js', totalBefore)
    at.put('package.json', JSON.stringify({ scripts: { test: 'node check.cjs' } }))
    at.put('check.cjs', failingTests)
    const page = shownWith('manual/agents.md', 'craft ')
    const [said, table] = [
      page.slice(2, 4).join(' '),
      page.slice(page.findIndex((row) => row.startsWith('Totals'))),
    ]
    const look = call('read', { path: 'src/total.js' })
    const change = call('edit_file', { path: 'src/total.js', edits })
    const check = call('bash', { command: 'npm test' })
    const closing = {
      text: `${table[0]}\n\n| file | change |\n|---|---|\n| src/total.js | roundHalfUp instead of Math.round |\n`,
    }
    const terminal = start([{ text: said, ...look }, change, check, closing], ['--approval', 'auto'], 76)
    expect(await terminal.exit()).toBe(0)
    const rows = plain(await terminal.until(/tokens {2}/))
    const [first, last] = [
      rows.findIndex((row) => row.startsWith('craft')),
      rows.findIndex((row) => / tokens /.test(row)),
    ]
    const without = (all: readonly string[]) =>
      all.filter((row) => row !== '' && !/^(craft|\$| {2}…$| {4}line)/.test(row))
    expect(without(rows.slice(first, last))).toEqual(without(plain(page)))
    expect(rows[last]).toMatch(/^\$\d.* tokens 3 calls <time>$/)
  })
})

const totalBefore = `import { sum } from "./sum.js"

export function total(items) {
  return Math.round(sum(items) * 100) / 100
}
`
const edits = [
  {
    old: 'export function',
    new: 'const roundHalfUp = (x) => Math.floor(x * 100 + 0.5 + 1e-9) / 100\n\nexport function',
  },
  { old: 'Math.round(sum(items) * 100) / 100', new: 'roundHalfUp(sum(items))' },
]
const failingTests = `
for (let i = 1; i < 28; i++) console.log('✔ test ' + i)
console.log('✖ total adds the tax (0.4 ms)')
for (let i = 1; i < 8; i++) console.log('  line ' + i)
process.exit(1)
`
