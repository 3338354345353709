// Commands that a session runs in its own process, and those that it hands on, by their words.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withPersonalVerbs } from '../../../../cmd/anode/session/personal-verbs.ts'
import type { CommandIo } from '../../../../cmd/anode/verb.ts'
import type { SessionService } from '../../../../internal/session/client.ts'
import { scratchWith } from '../../../support/scratch.ts'

/** Runs the words in a session. Returns the words that were handed on, the exit code and the output. */
async function runWords(words: readonly string[]) {
  const home = scratchWith({})
  const env = { HOME: home, ANODE_DATA_DIR: join(home, 'data'), XDG_CONFIG_HOME: join(home, '.config') }
  const io = { env, cwd: scratchWith({}), stdin: process.stdin } as unknown as CommandIo
  const passed: (readonly string[])[] = []
  const service = {
    runVerb: async (given: readonly string[]) => {
      passed.push(given)
      return { exit: 0 }
    },
  } as unknown as SessionService
  const out: string[] = []
  const run = withPersonalVerbs(io, service).runVerb
  const { signal } = new AbortController()
  const ended = await run?.(words, { columns: 80, signal, output: (text) => out.push(text) })
  const file = join(home, '.config/anode/config.json')
  return {
    passed,
    exit: ended?.exit,
    out: out.join(''),
    config: existsSync(file) ? readFileSync(file, 'utf8') : '',
  }
}

const personal = ['config set', 'config unset', 'permissions forget']
const helpLines = personal.flatMap((name) =>
  [['-h'], ['--help'], ['model', '-h'], ['-h', 'model'], ['model', 'x', '--help'], ['--json', '-h']].map(
    (more) => [...name.split(' '), ...more],
  ),
)

test.each([...helpLines, ['config', 'list'], ['config', '-h'], ['config']].map((words) => ({ words })))(
  'hands on $words',
  async ({ words }) => {
    expect(await runWords(words)).toEqual({ passed: [words], exit: 0, out: '', config: '' })
  },
)

test.each([
  {
    words: ['config', 'set', '--', 'profile', '-h'],
    exit: 0,
    config: /"profile": "-h"/,
    out: /profile is set/,
  },
  { words: ['config', 'set', '--', '--help', 'x'], exit: 2, config: /^$/, out: /--help/ },
  {
    words: ['config', 'set', 'profile', '--', '--help'],
    exit: 0,
    config: /"profile": "--help"/,
    out: /is set/,
  },
  { words: ['config', 'set', 'model'], exit: 2, config: /^$/, out: /VALUE is missing/ },
  { words: ['config', 'unset', '--', '-h'], exit: 2, config: /^$/, out: /-h/ },
  { words: ['permissions', 'forget', '--', '-h'], exit: 2, config: /^$/, out: /answer -h not found/ },
])('runs $words itself', async ({ words, exit, config, out }) => {
  const ran = await runWords(words)
  expect(ran).toMatchObject({ passed: [], exit, out: expect.stringMatching(out) })
  expect(ran.config).toMatch(config)
})
