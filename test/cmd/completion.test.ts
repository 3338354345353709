// Completion as the shells call it, and its scripts in the shells themselves.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { sampleRows } from '../support/sample.ts'

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

const complete = async (...words: string[]) =>
  (await w.anode(['--get-yargs-completions', 'anode', ...words])).out.split('\n').filter(Boolean)

test.each(
  sampleRows(
    [
      [['to'], ['tools']],
      [['tools', 'us'], ['use']],
      [['--contin'], ['--continue']],
      [['--profile', 'cr'], ['craft']],
      [['--continue', '--scr'], ['--screen']],
      [['tools', 'use', 'gre'], ['grep']],
      [['tools', 'show', 'multi'], ['multi_read']],
      [['execute', '--profile', 'cr'], ['craft']],
      [['execute', '--approval', 'unr'], ['unrestricted']],
      [['execute', '--model', 'builtin'], ['builtin/extract']],
      [['execute', '-C', ''], []],
      [['skills', 'show', 'bug'], ['bug_hunt']],
      [['profiles', 'show', 'ora'], ['oracle']],
      [['manual', 'exit'], ['exit-codes']],
      [
        ['completion', ''],
        ['bash', 'zsh', 'fish', 'install'],
      ],
      [['threads', 'show', ''], ['last']],
      [['execute', '--max-tu'], ['--max-turns']],
      [['execute', '--max-turns', ''], []],
    ],
    3,
  ),
)('%j is completed to %j', async (words, expected) => {
  expect(await complete(...words)).toEqual(expected)
})

test('no value is ever completed to a dash', async () => {
  for (const words of [
    ['tools', 'use', ''],
    ['execute', '--model', ''],
    ['execute', '--resume', ''],
  ])
    expect((await complete(...words)).filter((line) => line.startsWith('-'))).toEqual([])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s is valid there', async (shell) => {
  const { code, out } = await w.anode(['completion', shell])
  expect(code).toBe(0)
  expect(out).toContain('--get-yargs-completions')
  w.put('script', out)
  const checked = spawnSync(shell, ['-n', join(w.dir, 'script')], { encoding: 'utf8' })
  if (checked.error) console.log(`${shell} is not installed: its script was not parsed`)
  else expect({ status: checked.status, err: checked.stderr }).toEqual({ status: 0, err: '' })
})

test('rejects a shell without a script, and lists the supported ones', async () => {
  expect(await w.anode(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('bash, zsh, fish'),
  })
})

test.each([
  [['bash'], '.local/share/bash-completion/completions/anode', /next bash/],
  [['zsh'], '.local/share/zsh/site-functions/_anode', /fpath=/],
  [['fish'], '.config/fish/completions/anode.fish', /next fish/],
  [[], '.local/share/bash-completion/completions/anode', /next bash/],
])('install %j writes the script that is printed', async (words, path, next) => {
  const env = {
    HOME: mkdtempSync(join(w.dir, 'home-')),
    SHELL: '/bin/bash',
    XDG_DATA_HOME: '',
    XDG_CONFIG_HOME: '',
  }
  const { code, out } = await w.anode(['completion', 'install', ...words], { env })
  expect([code, out]).toEqual([0, expect.stringMatching(next)])
  const printed = await w.anode(['completion', ...words], { env })
  expect(readFileSync(join(env.HOME, path), 'utf8').trimEnd()).toBe(printed.out.trimEnd())
})

test('install names the file that cannot be written, and the next step', async () => {
  const home = mkdtempSync(join(w.dir, 'home-'))
  writeFileSync(join(home, '.local'), '')
  const env = { HOME: home, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', SHELL: '/bin/bash' }
  const { code, err } = await w.anode(['completion', 'install', 'bash'], { env })
  expect(code, err).toBe(2)
  expect(err).toContain('cannot be written (ENOTDIR)')
  expect(err).toContain('`anode completion bash` prints the script')
})
