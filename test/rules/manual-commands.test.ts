// Every command line that README and manual name is one that the program takes: its verb exists, its flags are known.
import { expect, test } from 'vitest'
import { parseArgs } from '../../cmd/anode/parse-args.ts'
import { verbOf, wordsOf } from '../support/command-lines.ts'
import { filesBelow, read } from '../support/sources.ts'

interface Named {
  file: string
  line: string
}

/**
 * Returns the commands in code, in blocks and inline. The usage line of a generated page has another form.
 */
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
