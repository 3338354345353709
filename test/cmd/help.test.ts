// Help as a user reads it: every command, within 80 columns, with examples.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyHelp, helpSections } from '../../cmd/anode/help.ts'
import { foldMessage } from '../../cmd/anode/io/command-output.ts'
import { isGroup, loadVerb } from '../../cmd/anode/verb.ts'
import { verbs } from '../../cmd/anode/verbs.ts'
import { type World, world } from '../support/anode.ts'

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))

test('the root help lists every command once, on few lines of at most 80 columns', async () => {
  const { code, out } = await w.anode(['--help'])
  expect(code).toBe(0)
  const named = helpSections.flatMap(([, rows]) => Object.keys(rows))
  expect([...named].sort()).toEqual(Object.keys(verbs).sort())
  expect(widest(out)).toBeLessThanOrEqual(80)
  expect(out.split('\n').length).toBeLessThan(47)
})

test('the help of each group shows examples', async () => {
  for (const [name, load] of Object.entries(verbs)) {
    if (!isGroup(await load())) continue
    const { out } = await w.anode([name, '--help'])
    expect(out, name).toMatch(/^Examples:\n {2}\S/m)
    const list = out.split('Examples:')[0] as string
    const commands = [...list.matchAll(/^ {2}(\w[\w ]* .*)$/gm)].map(([, line]) => line)
    expect(new Set(commands).size, out).toBe(commands.length)
    expect(widest(list), name).toBeLessThanOrEqual(80)
  }
}, 60_000)

// completion reads the names of the commands from this help
test('the stored help names the commands of each group', async () => {
  const names = Object.keys(await everyHelp())
  for (const [group, load] of Object.entries(verbs)) {
    const command = await load()
    const own = names.flatMap((name) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
    expect(own, group).toEqual(isGroup(command) ? Object.keys(command.verbs) : [])
  }
})

test('every command has an example', async () => {
  for (const load of Object.values(verbs)) {
    const command = await load()
    const all = isGroup(command) ? await Promise.all(Object.values(command.verbs).map(loadVerb)) : [command]
    for (const verb of all) expect(verb.examples.length, verb.name).toBeGreaterThan(0)
  }
})

test.each([
  ['short', 20, 'short'],
  ['one two three four', 9, 'one two\nthree\nfour'],
  ['  one two three', 9, '  one two\n  three'],
  ['a-word-that-is-longer than', 10, 'a-word-that-is-longer\nthan'],
  ['\u001b[1mstyled text is left alone\u001b[0m', 10, '\u001b[1mstyled text is left alone\u001b[0m'],
  ['日本語の文章 日本語の文章 日本語', 10, '日本語の文章 日本語の文章 日本語'],
  ['one two\nthree four five', 9, 'one two\nthree\nfour five'],
])('a message %j in %i columns is %j', (text, columns, expected) => {
  expect(foldMessage(text, columns)).toBe(expected)
})
