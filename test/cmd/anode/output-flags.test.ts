// --json, --output and --output-format on every command that prints data: the same words, the same result.
import { describe, expect, test } from 'vitest'
import { outputFormats, parseArgs } from '../../../cmd/anode/parse-args.ts'
import { isGroup, loadVerb, type Verb } from '../../../cmd/anode/verb.ts'
import { formatSpellings, verbHelp } from '../../../cmd/anode/verb-help.ts'
import { verbs } from '../../../cmd/anode/verbs.ts'

const all: Verb[] = []
for (const load of Object.values(verbs)) {
  const command = await load()
  const own = isGroup(command)
    ? [...Object.values(command.verbs), ...(command.otherwise ? [command.otherwise] : [])]
    : undefined
  all.push(...(own ? await Promise.all(own.map(loadVerb)) : [command as Verb]))
}
const printing = all.filter(({ options }) => outputFormats(options).length > 0)

/** Returns the values of the required arguments of a command. */
const needed = ({ positionals = [] }: Verb) =>
  positionals.filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? 'x')
const parse = (verb: Verb, ...words: string[]) => parseArgs(verb, [...needed(verb), ...words])

/** Commands whose output has one form, or is a dialog with a program or a user. */
const otherOutput = [
  ...['acp', 'completion', 'mcp login', 'mcp serve'],
  ...['harness record', 'research cpu', 'threads export', 'tools batch'],
]

test('every command takes a format, but those with one form', () => {
  const others = all.filter((verb) => !printing.includes(verb)).map(({ name }) => name)
  expect(others.sort()).toEqual(otherOutput.sort())
})

describe.each(printing.map((verb) => [verb.name, verb] as const))('%s', (_, verb) => {
  const formats = outputFormats(verb.options)
  // --json with a value is the arguments of a call, or a specification
  const takesValue = verb.options.json?.type === 'string'

  test('takes the same format in each spelling', () => {
    for (const format of formats) {
      const spellings = [
        ['--output', format],
        [`--output=${format}`],
        ['--output-format', format],
        ...(format === 'json' && !takesValue ? [['--json']] : []),
        ...(format === 'stream-json' ? [['--stream-json']] : []),
      ]
      const [first, ...others] = spellings.map((words) => parse(verb, ...words))
      for (const other of others) expect(other).toEqual(first)
      const { output: declared, json } = verb.options
      if (json?.type === 'boolean') expect(first?.json === true).toBe(format === 'json')
      if (declared?.choices?.includes(format)) expect(first?.output).toBe(format)
      if (verb.options['stream-json']) expect(first?.['stream-json'] === true).toBe(format === 'stream-json')
    }
  })

  test('names each spelling in its help', async () => {
    const spellings = formatSpellings(verb.options)
    expect(spellings.length).toBeGreaterThanOrEqual(
      takesValue || verb.options.output?.choices === undefined ? 1 : 3,
    )
    const help = await verbHelp(verb, 400)
    for (const spelling of spellings) expect(help).toContain(spelling)
    for (const spelling of spellings) {
      const [flag = '', values] = spelling.split(' ')
      for (const value of values?.split('|') ?? [])
        expect(parse(verb, flag, value)).toEqual(parse(verb, '--output-format', value))
      if (values === undefined)
        expect(parse(verb, flag)).toEqual(parse(verb, '--output-format', flag.slice(2)))
    }
  })

  test('rejects an unknown format, and two that differ', () => {
    expect(() => parse(verb, '--output-format', 'nope')).toThrow(/must be one of .*json/)
    const [text = '', other = ''] = formats
    if (!takesValue && formats.includes('json'))
      expect(() => parse(verb, '--json', '--output', 'text')).toThrow(/exclude each other/)
    expect(() => parse(verb, '--output-format', other, '--output', text)).toThrow(/exclude each other/)
  })
})

test('where --output is a file, a file stays a file', () => {
  const files = printing.filter(({ options }) => options.output && !options.output.choices)
  expect(files.map(({ name }) => name)).toContain('study')
  for (const verb of files) {
    expect(parse(verb, '--output', 'report.html').output).toBe('report.html')
    expect(parse(verb, '-o', 'report.json', '--json')).toMatchObject({ output: 'report.json', json: true })
    expect(parse(verb, '--output', 'json')).toMatchObject({ json: true })
  }
})
