// Every command line that README and manual name is one that the program takes: its verb exists, its flags are known.
import { expect, test } from 'vitest'
import { parseArgs } from '../../cmd/anode/parse.ts'
import { isGroup, type Verb } from '../../cmd/anode/verb.ts'
import { aliases, verbs } from '../../cmd/anode/verbs.ts'
import { filesBelow, read } from '../support/sources.ts'

interface Named {
  file: string
  line: string
}

/** Command lines in code, blocks and inline; what a generated page says of usage is another form. */
function namedLines(file: string): Named[] {
  const text = read(file)
  const blocks = [...text.matchAll(/^```\w*(?: [^\n]*)?\n([\s\S]*?)^```$/gm)].flatMap(([, body = '']) =>
    body.replaceAll('\\\n', ' ').split('\n'),
  )
  const inline = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  )
  return [...blocks, ...inline].flatMap((code) =>
    [...code.matchAll(/(?:^|[\s;&|($])(?:npx )?(anode (?:[^\n]*))/g)].map((found) => ({
      file,
      line: (found[1] ?? '').trim(),
    })),
  )
}

/** Words as a shell splits them, up to where another command or a redirection begins. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g)) {
    if (/^(?:\||\|\||&&|;|>|>>|<|2>&1|#.*|\)|—)$/.test(word) || /^\d?>/.test(word)) break
    const ends = /;$/.test(word)
    words.push(word.replace(/[;)]$/, '').replaceAll(/^['"]|['"]$/g, ''))
    if (ends) break
  }
  return words.slice(1)
}

/** The verb that the words name, and what is left of them; undefined for prose such as `anode study` alone. */
async function verbOf(
  words: readonly string[],
): Promise<{ verb: Verb; rest: string[] } | string | undefined> {
  const [first = '', second = ''] = words
  const name = aliases[first] ?? first
  const load = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (!load)
    return /^(?:--(?:version|help)|-[hv]|COMMAND|help|version)$/.test(first) ||
      first === '' ||
      first.includes(' ')
      ? undefined
      : `no command ${first}`
  const command = await load()
  if (!isGroup(command)) return { verb: command, rest: words.slice(1) }
  if (second === '' || second === '--help' || /^[A-Z…]/.test(second) || second.includes('|')) return undefined
  const own = Object.hasOwn(command.verbs, second) ? command.verbs[second] : undefined
  if (own) return { verb: await own(), rest: words.slice(2) }
  return command.otherwise
    ? { verb: await command.otherwise(), rest: words.slice(1) }
    : `no command ${first} ${second}`
}

const files = ['README.md', ...filesBelow('manual', '.md')].filter(
  (file) => !file.startsWith('manual/commands/') && !file.includes('/corpus/'),
)

test('every command line of README and manual is one that the program takes', async () => {
  const named = files.flatMap(namedLines)
  expect(named.length).toBeGreaterThan(100)
  const wrong: string[] = []
  for (const { file, line } of named) {
    const words = wordsOf(line)
    const found = await verbOf(words)
    if (found === undefined) continue
    if (typeof found === 'string') wrong.push(`${file}: ${line}: ${found}`)
    else {
      try {
        // what is missing in a line that only names a command is no mistake
        parseArgs({ ...found.verb, positionals: [{ name: 'X', describe: '', many: true }] }, found.rest)
      } catch (error) {
        const said = (error as Error).message
        // a value may stand as a placeholder
        if (!/needs a value|must be a number|must be one of/.test(said))
          wrong.push(`${file}: ${line}: ${said}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
