// Help of every command at every width: no line is wider than the terminal, and no word is split.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { groupHelp, rootHelp } from '../../cmd/anode/help.ts'
import { narrowWidth } from '../../cmd/anode/help-width.ts'
import { isGroup, type Verb, type VerbGroup } from '../../cmd/anode/verb.ts'
import { verbHelp } from '../../cmd/anode/verb-help.ts'
import { type World, world } from '../support/anode.ts'
import { everyCommand } from '../support/commands.ts'
import { shareRows } from '../support/sample.ts'

let w: World
/**
 * Words of help texts at an unlimited width, for comparison with narrower texts. Both layouts
 * contain different words.
 */
const uncut = new Set<string>()
beforeAll(async () => {
  w = world()
  for (const { path, command } of commands)
    for (const width of [narrowWidth - 1, 400])
      for (const word of wordsOf(await draw(command, path, width))) uncut.add(word)
})
afterAll(() => w.remove())

const commands = await everyCommand()
const draw = (command: Verb | VerbGroup, path: readonly string[], width: number) =>
  isGroup(command) ? groupHelp(path, command, width) : verbHelp(command, width)

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** Returns the lines wider than `width`, except lines of a single long word. */
function tooWide(text: string, width: number): string[] {
  return text.split('\n').filter((line) => [...line].length > width && wordsOf(line).length > 1)
}

test.each([30, 40, narrowWidth - 1, narrowWidth, 80, 120].map((width, i) => [width, i] as const))(
  'help of every command fits %i columns',
  async (width, i) => {
    expect(tooWide(rootHelp(width), width)).toEqual([])
    for (const { path, command } of shareRows(commands, i, 3)) {
      const text = await draw(command, path, width)
      expect(tooWide(text, width), path.join(' ')).toEqual([])
      const cut = wordsOf(text).filter((word) => !uncut.has(word))
      expect(cut, `words of ${path.join(' ')} that are cut apart`).toEqual([])
    }
  },
)

test('the program draws help for COLUMNS, and for 80 columns without it', async () => {
  const widest = async (words: string[], env = {}) => {
    const { code, out } = await w.anode(words, { env })
    expect(code).toBe(0)
    return Math.max(...out.split('\n').map((line) => line.length))
  }
  for (const words of [['--help'], ['study', '--help'], ['tools', 'use', '--help']]) {
    expect(await widest(words, { COLUMNS: '40' })).toBeLessThanOrEqual(40)
    const usual = await widest(words)
    expect(usual).toBeLessThanOrEqual(80)
    expect(usual).toBeGreaterThan(60)
  }
})

test('the help of study lists the flags of a question', async () => {
  const surroundings: Record<string, string>[] = [{}, { COLUMNS: '40' }]
  for (const env of surroundings)
    expect((await w.anode(['study', '--help'], { env })).out).toContain('--budget-usd')
})
