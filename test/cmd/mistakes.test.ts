// Common mistakes with every command: one plain sentence, a next step, and the exit code of the manual.
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCommandsOfWord } from '../../cmd/anode/execute/task-text.ts'
import { parseArgs } from '../../cmd/anode/parse-args.ts'
import { type CommandOption, commonOptions, type Verb } from '../../cmd/anode/verb.ts'
import { verbs as rootVerbs } from '../../cmd/anode/verbs.ts'
import { UserError } from '../../internal/base/errors.ts'
import { slashCommands } from '../../internal/tui/input/slash-command.ts'
import { type Done, type World, world } from '../support/anode.ts'
import { verbOf, wordsOf } from '../support/command-lines.ts'
import { everyVerb } from '../support/commands.ts'
import { mistypedLines } from '../support/mistyped-lines.ts'
import { rng, shuffled } from '../support/rng.ts'
import { full, sampleRows } from '../support/sample.ts'
import { findBreaches, listWrongLines, openWrongWorld, type WrongLine } from '../support/wrong-input.ts'

const verbs = await everyVerb()
const named = verbs.map(({ path, command }) => [path.join(' '), command] as const)

/** Returns the error message for a command; undefined if it is accepted. */
function refusal(
  verb: Verb,
  words: readonly string[],
): { message: string; hint: string | undefined } | undefined {
  try {
    parseArgs(verb, words)
    return undefined
  } catch (error) {
    if (!(error instanceof UserError) || error.exit !== 2) throw error
    return { message: error.message, hint: error.hint }
  }
}

/** Returns enough words for the required arguments of the verb. */
const needed = (verb: Verb) =>
  (verb.positionals ?? []).filter(({ required }) => required).map(({ choices }) => choices?.[0] ?? 'x')
const flagOf = (name: string) => (name.length === 1 ? `-${name}` : `--${name}`)
const optionsOf = (verb: Verb): [string, CommandOption][] =>
  Object.entries({ ...verb.options, ...commonOptions })

describe.each(named)('anode %s', (_, verb) => {
  const usage = `usage: anode ${verb.usage}`

  test('is rejected without its required arguments', () => {
    for (const { name, describe: what, required } of verb.positionals ?? []) {
      const said = refusal(verb, [])
      if (!required) continue
      expect(said?.message).toContain(`${name} is missing (${what})`)
      expect(said?.hint).toContain(usage)
    }
  })

  test('rejects an unknown flag, value or word', () => {
    const words = needed(verb)
    const told = (more: readonly string[], message: RegExp) => {
      const said = refusal(verb, [...words, ...more])
      expect(said?.message).toMatch(message)
      expect(said?.message.split('\n')).toHaveLength(1)
      expect(said?.hint).toContain(usage)
    }
    if (!verb.takesExtra) told(['--no-such-flag-there'], /^unknown flag --/)
    if (!(verb.positionals ?? []).some(({ many }) => many)) {
      const all = (verb.positionals ?? []).map(({ choices }) => choices?.[0] ?? 'x')
      expect(refusal(verb, [...all, 'extra'])?.message).toBe('unexpected word: extra')
    }
    for (const [name, { type, choices, bare }] of optionsOf(verb)) {
      if (type === 'number')
        told([flagOf(name), 'many'], new RegExp(`^--${name} must be a number, got many$`))
      if (choices) told([flagOf(name), 'nonesuch'], new RegExp(`^--${name} must be one of ${choices[0]}`))
      if (type !== 'boolean' && !bare) {
        const text = `^${flagOf(name)} needs a value${name === 'json' ? ', an object; .*' : ''}$`
        for (const value of [[], ['']]) told([flagOf(name), ...value], new RegExp(text))
      }
    }
  })

  test('accepts the words of its examples', async () => {
    for (const [line] of verb.examples) {
      const start = /\banode .*/.exec(line)?.[0] ?? ''
      const found = await verbOf(wordsOf(start.replace(/\)"?$/, '')))
      expect(found, line).toMatchObject({ verb: { name: verb.name } })
      if (typeof found === 'object') expect(refusal(found.verb, found.rest), line).toBeUndefined()
    }
  })
})

/** Returns the arguments with which a verb runs in an empty directory, so that nothing else is missing. */
const wordsFor = (name: string, verb: Verb) =>
  ({ execute: ['hi'], study: ['why'], 'tools use': ['list_skills'], 'permissions explain': ['list_skills'] })[
    name
  ] ?? needed(verb)

describe('for all kinds of wrong input', () => {
  const at = openWrongWorld()
  afterAll(() => at.remove())
  const kinds = new Map<string, WrongLine[]>()
  const seed = Number(process.env.ANODE_SEED ?? 0)
  for (const line of listWrongLines(
    verbs.map(({ command }) => command),
    at,
  ))
    kinds.set(line.kind, [...(kinds.get(line.kind) ?? []), line])

  // Each kind of mistake is tried with some of the commands, and with ANODE_FAULTS with all of them.
  test.each([...kinds])('%s', { timeout: 1_800_000 }, async (kind, lines) => {
    const bad: string[] = []
    const some = full ? lines : shuffled(rng(seed + kind.length), lines).slice(0, 2)
    for (const line of some) {
      const start = performance.now()
      const done = await at.anode(line.words, { env: { ...line.env } })
      const breaches = findBreaches(line, done, performance.now() - start)
      if (breaches.length > 0) bad.push(`anode ${line.words.join(' ')}: ${breaches.join(', ')}\n${done.err}`)
    }
    expect(bad).toEqual([])
  })
})

describe('the program', () => {
  let w: World
  beforeAll(() => {
    w = world()
  })
  afterAll(() => w.remove())

  /** Expects a sentence, a next step, an empty standard output, and no report of a bug. */
  const expectPlain = (words: readonly string[], { code, out, err }: Done) => {
    const line = `anode ${words.join(' ')}`
    expect([1, 2, 4], line).toContain(code)
    expect(out, line).toBe('')
    expect(err, line).toMatch(/^(?:anode|error)\b/m)
    expect(err.trim().split('\n').length, `${line}\n${err}`).toBeGreaterThan(1)
    expect(err.trim().split('\n').length, `${line}\n${err}`).toBeLessThan(5)
    expect(err, line).not.toMatch(/bug in Anode|undefined|\[object|^ {4}at /m)
  }

  /** Commands that take their words as a program or a search text, so that no word is a mistake. */
  const takesAnything = ['research cpu', 'threads search']

  test.each(named.filter(([name, verb]) => needed(verb).length > 0 && !takesAnything.includes(name)))(
    'anode %s rejects an unknown name',
    async (name, verb) => {
      const words = [...name.split(' '), ...needed(verb).map(() => 'nonesuch')]
      const done = await w.anode(words)
      expectPlain(words, done)
      expect(done.code, words.join(' ')).toBe(2)
    },
  )

  test.each([
    [['study', 'status'], 'start one with `anode study'],
    [['study', 'report', '01ARZ3NDEK'], 'last'],
    [['execute', 'x', '--resume', 'nonesuch'], 'anode threads list'],
    [['execute', 'x', '--fork', 'nonesuch@3'], 'anode threads list'],
    [['execute', 'x', '--profile', 'nonesuch', '--model', 'builtin/extract'], 'craft'],
    [['execute', 'x', '--model', 'nonesuch/y'], 'Providers: anthropic'],
    [['execute', 'x'], 'anode login'],
    [['execute'], 'anode execute "'],
    [['research', 'status'], 'anode research init'],
    [['research', 'auto'], 'random'],
    [['worker'], 'embedded'],
    [['manual', 'nonesuch'], 'anode manual'],
    [['study', ''], 'anode study "'],
  ])('%j prints a next step', async (words, next) => {
    const done = await w.anode(words)
    expectPlain(words, done)
    expect(done.code).toBe(2)
    expect(done.err).toContain(next)
  })

  test.each(sampleRows([...mistypedLines], 4))(
    'anode %s prints a next step in two lines',
    async (line, next) => {
      const done = await w.anode(line.split(' '))
      expectPlain([line], done)
      expect(done.err.trim().split('\n').slice(0, 2).join('\n')).toMatch(next)
    },
  )

  const lastWords = [
    ...new Set(verbs.flatMap(({ path }) => (path.length > 1 ? [path.at(-1) as string] : []))),
  ]

  test.each(lastWords)('knows the commands that end with %s', (word) => {
    const ends = named.filter(([name]) => name.endsWith(` ${word}`)).map(([name]) => `anode ${name}`)
    expect(findCommandsOfWord(word).sort()).toEqual(ends.sort())
  })

  const own = new Set([...Object.keys(rootVerbs), 'help', 'version'])
  const sessionWords = slashCommands.map(({ name }) => name).filter((name) => !own.has(name))

  // each command of a session without its slash: it is named, or a command of the shell does the same
  test.each(sampleRows(sessionWords, 6))('anode %s names a command', async (word) => {
    const done = await w.anode([word])
    expectPlain([word], done)
    expect(done.code).toBe(2)
    expect(done.err).toMatch(
      new RegExp(`in a session: /${word}|^anode |did you mean|anode login|anode tools use`, 'm'),
    )
  })

  // a message for a thread or for a text may be one word
  test.each([
    ['run', 'resume', '--resume', 'nonesuch'],
    ['run', 'next', '--fork', 'nonesuch'],
  ])('anode %s %s %s is a message', async (...words) => {
    expect((await w.anode(words)).err).toContain('nonesuch')
  })

  // each command word is given as the only word of a task: a mistyped `anode runs list`
  test.each(sampleRows(lastWords, 6))('anode run %s names the commands with this word', async (word) => {
    const done = await w.anode(['run', word])
    expectPlain(['run', word], done)
    expect(done.code).toBe(2)
    expect(done.err).toContain(`did you mean ${findCommandsOfWord(word)[0]}`)
    expect(done.err).toContain(`anode execute -- ${word}`)
    expect((await w.anode(['run', '--', word])).err).toContain('no model is configured')
  })

  const files = named.flatMap(([name, verb]) =>
    optionsOf(verb)
      .filter(([flag, { value }]) => (value === 'FILE' || value === 'DIR') && flag !== 'C')
      // the directory for recordings is created
      .filter(([flag]) => !(name === 'study eval' && flag === 'record'))
      .map(([flag]) => [name, flagOf(flag), verb] as const),
  )

  test.each(files)('anode %s %s rejects a path that does not exist', async (name, flag, verb) => {
    const model = 'model' in verb.options ? ['--model', 'builtin/extract'] : []
    const words = [...name.split(' '), ...wordsFor(name, verb), ...model, flag, 'nowhere/none']
    const done = await w.anode(words)
    expectPlain(words, done)
    expect(done.err).not.toMatch(/\bE[A-Z]{4,}\b/)
  })

  test('-C rejects a path that does not exist', async () => {
    const done = await w.anode(['tools', 'list', '-C', 'nowhere'])
    const err = 'anode: -C nowhere: no such directory, or not yours\nname a directory that exists\n'
    expect(done).toEqual({ code: 2, out: '', err })
  })

  test.each(['x', '', '-5', '0', '0x', 'ten', '1e3', '10xx', 'Infinity'])(
    'research init rejects the factor %j',
    async (factor) => {
      const flags = ['--name', 'a', '--metric', 'm', '--direction', 'lower', '--cmd', 'x']
      const words = ['research', 'init', ...flags, `--max-plausible=${factor}`]
      const done = await w.anode(words)
      expectPlain(words, done)
      expect(done.code).toBe(2)
      expect(done.err).toMatch(/--max-plausible .*(?:is not a factor|needs a value)/)
    },
  )

  test.each([
    ['review', '--model', 'builtin/extract'],
    ['research', 'init', '--name', 'a', '--metric', 'm', '--direction', 'lower', '--cmd', 'x'],
  ])('requires a repository: %s %s', async (...words) => {
    const done = await w.anode(words)
    expectPlain(words, done)
    expect(done.code).toBe(2)
    expect(done.err).toMatch(/git/)
  })

  test('reports an empty or broken configuration with a next step', async () => {
    for (const [text, said] of [
      ['', 'the file is empty'],
      ['// nothing\n', 'the file is empty'],
      ['{', '1:2: a closing } is missing'],
      ['[1]', 'must be of type object'],
      ['{"modle": "x"}', 'unknown key modle, did you mean model'],
    ] as const) {
      w.put('broken.json', text)
      const done = await w.anode(['tools', 'list'], { env: { ANODE_CONFIG: 'broken.json' } })
      expectPlain(['tools', 'list'], done)
      expect(done.code).toBe(2)
      expect(done.err).toContain(said)
      expect(done.err).toContain('anode config doctor')
    }
  })

  test('rejects commands of an agent that only a user may run', async () => {
    execFileSync('git', ['init', '-q'], { cwd: w.dir })
    for (const line of [
      'config set model a/b',
      'config unset model',
      'login openai --stdin',
      'logout openai',
      'mcp add x -- sh',
      'mcp remove x',
      'mcp login x',
      'mcp logout x',
      'permissions forget 1',
      'trust',
    ]) {
      const { code, out, err } = await w.anode(line.split(' '), {
        env: { ANODE_RUN: 'run_1' },
        input: 'sk-key-12345678',
      })
      expect({ line, code, out }).toEqual({ line, code: 4, out: '' })
      expect(err).toContain('only a user may decide this')
    }
  })
})
