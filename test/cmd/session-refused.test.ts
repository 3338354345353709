// Invalid commands that end `anode` with exit code 2 before it draws anything, as the bytes of
// a terminal show.
import { expect, it } from 'vitest'
import { openScreenWorld } from '../support/screen-program.ts'

const rows: readonly (readonly [words: string[], said: RegExp])[] = [
  [['--contineu'], /unknown flag --contineu, did you mean --continue\?[\s\S]*anode session --help/],
  [['--screen', 'half'], /--screen must be one of inline, full, plain/],
  [['--approval', 'maybe'], /--approval must be one of/],
  [['--max-turns', '0'], /--max-turns must be more than 0/],
  [['--add-dir', '/no-such'], /\/no-such does not exist/],
  [['-C', '/no-such'], /no such directory/],
  [['--model', 'no-such/x'], /unknown model no-such\/x/],
  [['--profile', 'no-such'], /unknown profile no-such/],
  [['--allow-tool', 'no-such'], /--allow-tool no-such: unknown tool/],
  [['--allow-tool', 'read,gerp'], /did you mean grep/],
  [['--resume'], /this workspace has no thread yet/],
  [['--resume', 'zzz'], /no thread named zzz/],
  [['--fork', 'zzz@1'], /no thread named zzz/],
  [['--continue', '--resume', 'a'], /exclude each other/],
  [['--sandbox', 'off'], /unknown flag --sandbox\s+--sandbox is for anode execute/],
  [['--stats'], /unknown flag --stats[\s\S]*anode session --help/],
  [['-C'], /-C needs a value/],
  [['.'], /\. is a directory and no command\s+to work in it: anode -C \.\s/],
  [['README'], /as a message: anode -- README/],
]

it.each(rows)('%j', async (words, said) => {
  const { start } = openScreenWorld([{ text: 'Never said.' }])
  const screen = start(words, { columns: 120 })
  expect(await screen.exit).toBe(2)
  expect(screen.bytes()).toMatch(said)
  expect(screen.bytes()).not.toContain('\x1b')
})

it.each([
  [{ ANODE_SCREEN: 'half' }, undefined, /unknown screen half/],
  [{}, '{"ui":{"screen":"half"}}', /ui\.screen/],
  [{}, '{"model":"no-such/x"}', /unknown model no-such\/x/],
  [{}, '{"profile":"no-such"}', /unknown profile no-such/],
  [{}, '{"ui":', /a value is/],
])('%j with the configuration %s', async (env: Record<string, string>, config, said) => {
  const { start, put } = openScreenWorld([])
  if (config !== undefined) put('../.config/anode/config.json', config)
  const screen = start([], { columns: 120 }, env)
  expect(await screen.exit).toBe(2)
  expect(screen.bytes()).toMatch(said)
  expect(screen.bytes()).not.toContain('\x1b')
})

it('has a help text that lists every flag', async () => {
  const { anode } = openScreenWorld([])
  const { code, out } = await anode(['session', '--help'])
  expect(code).toBe(0)
  expect(out).toMatch(/^anode \["MESSAGE"\] \[flags\]\n[\s\S]*--screen[\s\S]*--fork|--fork[\s\S]*--screen/)
  expect((await anode(['help', 'session'])).out).toBe(out)
})
