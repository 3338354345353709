// Comments, joined lines and odd spaces in every position of every construct: an allowed
// command starts nothing.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRows } from '../../support/sample.ts'
import { type Canaries, makeCanaries } from '../../support/shell-fuzz/canaries.ts'
import { extras, templates, withExtra } from '../../support/shell-fuzz/extras.ts'
import { allowed, effectsOf, type PropertyName, place } from '../../support/shell-fuzz/properties.ts'
import { runLines } from '../../support/shell-fuzz/sandbox.ts'

let at: Canaries
const home = process.env.HOME
beforeAll(() => {
  at = makeCanaries(false)
  process.env.HOME = at.home
})
afterAll(() => {
  process.env.HOME = home
  at.end()
})

const lines = templates.flatMap((template) => extras.flatMap((extra) => withExtra(template, extra)))

async function effects(some: readonly string[], property: PropertyName) {
  const ready: string[] = []
  for (const line of some) if (await allowed(line, property, at)) ready.push(line)
  const outcome = await runLines(
    ready.map((line) => ({ text: place(line, at), variables: '' })),
    'bash',
    at,
  )
  const found = effectsOf(ready, outcome, property, at).map(({ line, what }) => ({ line: ready[line], what }))
  at.restore()
  return { ran: ready.length, found }
}

test.each(['deny', 'harmless'] as const)(
  'no extra in any position hides a command: %s',
  async (property) => {
    const some = sampleRows(lines, 19)
    const { ran, found } = await effects(some, property)
    console.log(`${property}: ${some.length} lines of ${lines.length}, ${ran} run`)
    expect(found).toEqual([])
    expect(ran).toBeGreaterThan(50)
  },
  300_000,
)

// the lines that were found first, and their forms
const hidden = ['x', 'x_1', 'export x', 'declare x', 'ls; x', 'true && x', '(x', '{ x', 'if x'].flatMap(
  (start) =>
    ['$(evil)', '`evil`', ';evil', '|evil', '&evil', '&&evil'].flatMap((code) =>
      ['=', '+=', '=1', '+=a'].map((end) => `${start}#${code}\n${end}`),
    ),
)

test('does not allow a comment between the name and the value of an assignment', async () => {
  expect(hidden.length).toBeGreaterThanOrEqual(200)
  for (const property of ['harmless', 'deny'] as const)
    for (const line of hidden) expect(await allowed(line, property, at), line).toBe(false)
})
