// The terminal pictures of the manual equal what the program shows now. `npm run pictures` writes them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { maskRow } from '../support/pictures/screen-cells.ts'
import { root } from '../support/sources.ts'
import { masks } from './scene-parts.ts'
import { buildMasks, scenes } from './terminal-scenes.ts'

const style = { isBold: false, isDim: false, isItalic: false, isUnderlined: false, isStruck: false }

/** Returns the row of a picture for a row of the screen, 60 columns wide. */
function maskText(text: string, hidden = masks): string {
  const cells = [...text.padEnd(60)].map((letter) => ({ text: letter, width: 1, style }))
  return maskRow(cells, hidden)
    .map((cell) => cell.text)
    .join('')
    .trimEnd()
}

const times = ['1 ms', '42 ms', '998 ms', '0.1 s', '9.9 s', '12.3 s', '59 s']
const ids = ['01M8E04KJS', '01JD3K8QAA', '01ZZZZZZZZ']
const rows: readonly [string, (time: string, id: string) => string][] = [
  ['a call', (time) => ` bash  npm test${time.padStart(44)}`],
  ['an edit', (time) => ` edit_file  cart.js${`+1 -1  ${time}`.padStart(40)}`],
  ['a status line', (time, id) => ` Fix the cart${`${id}  ${time}`.padStart(46)}`],
  ['a task', (time) => `t1   done   2 claims  2 steps  ${time}`],
  ['the end of a run', (time) => ` done  ${time}  $0.00`],
  ['a study', (_, id) => `study ${id}  model m`],
]

it.each(rows)('%s looks the same at each time and with each id', (_, write) => {
  const texts = times.flatMap((time) => ids.map((id) => maskText(write(time, id))))
  expect(new Set(texts).size).toBe(1)
  expect(texts[0]).not.toMatch(/998|01M8E0/)
})

it('shows the same tip each day', () => {
  const texts = ['/undo reverts what the last run changed', 'Esc twice goes back'].map((tip) =>
    maskText(` tip: ${tip}`),
  )
  expect(new Set(texts).size).toBe(1)
})

it.each([
  (time: string) => `• mail   running  command  ${time.padStart(5)}  node codemod.js`,
  (time: string) => `running  ${time}  1 of 4 tasks merged`,
])('a build looks the same at each time %#', (write) => {
  const texts = ['3 s', '12 s', '1:02', '59 s'].map((time) => maskText(write(time), buildMasks))
  expect(new Set(texts).size).toBe(1)
})

it.each(Object.entries(scenes))(
  'manual/images/%s is what the program shows',
  async (name, drawScene) => {
    const path = join(root, 'manual', 'images', name)
    const picture = await drawScene()
    if (process.env['ANODE_PICTURES'] === 'write') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, picture)
    }
    expect(picture).not.toMatch(/\/(?:tmp|home|root|Users)\//)
    const stored = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(picture, `manual/images/${name} is stale: run \`npm run pictures\``).toBe(stored)
  },
  60_000,
)
