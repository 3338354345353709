// Every command with a letter missing, with two letters exchanged, and with a letter doubled: the answer
// names the nearest command.
import { expect, test } from 'vitest'
import { parseArgs } from '../../cmd/anode/parse-args.ts'
import { explainRefusal } from '../../cmd/anode/refused-line/refusal.ts'
import { isGroup, loadVerb, type Verb } from '../../cmd/anode/verb.ts'
import { verbs as rootVerbs } from '../../cmd/anode/verbs.ts'
import { world } from '../support/anode.ts'
import { everyVerb } from '../support/commands.ts'
import { sampleRows } from '../support/sample.ts'

const paths = (await everyVerb()).map(({ path }) => path)
const groups = [...new Set(paths.flatMap(([group = '', ...more]) => (more.length > 0 ? [group] : [])))]
const known = new Set([...groups, ...paths.flat()])

function mistype(word: string): string[] {
  const at = Math.ceil(word.length / 2) - 1
  const [before, one, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)]
  const swapped = `${before}${after[0] ?? ''}${one}${after.slice(1)}`
  const typed = [before + after, swapped, `${before}${one}${one}${after}`]
  return typed.filter((text) => text.length > 2 && !known.has(text))
}

const lines = [...groups.map((group) => [group]), ...paths].flatMap((path) => {
  const first = path.slice(0, -1)
  const siblings = paths.filter((other) => first.every((word, i) => other[i] === word))
  const names = [...new Set(siblings.map((other) => other[first.length] ?? ''))]
  return mistype(path.at(-1) ?? '').map((word) => ({ line: [...first, word].join(' '), names }))
})

test.each(sampleRows(lines, 80))('anode $line', async ({ line, names }) => {
  const w = world()
  try {
    const { code, out, err } = await w.anode(line.split(' '))
    expect([code, out]).toEqual([2, ''])
    expect(names.some((name) => err.split('\n')[1]?.includes(name))).toBe(true)
  } finally {
    w.remove()
  }
})

/** Returns the error for a word of a command without positionals; undefined if the command takes the word. */
function refuse(verb: Verb, word: string): unknown {
  if ((verb.positionals ?? []).length > 0) return undefined
  try {
    parseArgs(verb, [word])
    return undefined
  } catch (error) {
    return error
  }
}

// the default command of a group gets the mistyped word
test.each(groups)('anode %s alone, then a mistyped command', async (group) => {
  const command = await rootVerbs[group]?.()
  const otherwise = command && isGroup(command) ? command.otherwise : undefined
  const alone = otherwise && (await loadVerb(otherwise))
  const names = paths.filter(([first, name]) => first === group && name !== undefined).map(([, name]) => name)
  for (const word of names.flatMap((name) => mistype(name ?? ''))) {
    const error = alone && refuse(alone, word)
    if (!alone || !error) continue
    const said = await explainRefusal(error, [word], alone.name)
    expect(said).toMatchObject({ hint: expect.stringContaining(`did you mean anode ${group} `) })
  }
})
