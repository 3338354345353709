// What one measured command leaves in its session keyring, and what the next one finds there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  isolatedWords,
  prepareIsolation,
} from '../../../../../internal/research/measure/isolation/isolation.ts'
import { sessionKeyringWords } from '../../../../../internal/research/measure/isolation/session-keyring.ts'
import { run } from '../../../../support/run.ts'

const calls = { x64: [248, 249], arm64: [217, 218] }[process.arch as string] ?? [0, 0]
/** Adds a key to the session keyring (-3), and asks for it. */
const put = `perl -e 'my ($t, $n, $v) = ("user", "anode", "answer"); print syscall(${calls[0]}, $t, $n, $v, 6, -3) > 0 ? "put" : "failed"'`
const ask = `perl -e 'my ($t, $n) = ("user", "anode"); print syscall(${calls[1]}, $t, $n, 0, 0) > 0 ? "there" : "nothing"'`

const out = async (words: readonly string[], cwd: string) => {
  const [file = '', ...args] = words
  return (await run({ file, args, cwd })).stdout.text
}

test('a key is there for the next command without a new keyring, and is not with one', async ({ skip }) => {
  const words = sessionKeyringWords()
  if (!words?.[0]?.endsWith('perl')) return skip('no perl here')
  const dir = mkdtempSync(join(tmpdir(), 'anode-keyring-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  // one keyring for all of this test, so that the user's stays as it is
  const together = async (lines: readonly string[]) => out([...words, 'bash', '-c', lines.join('; ')], dir)
  const quoted = (line: string) =>
    [...words, 'bash', '-c', line].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  if ((await together([put])) !== 'put') return skip('the system refuses keyrings')
  expect(await together([put, ask])).toBe('putthere')
  expect(await together([quoted(put), quoted(ask)])).toBe('putnothing')
  expect(await together([put, quoted(ask)])).toBe('putnothing')
  // as a whole isolated command, where the machine has namespaces
  const places = { checkout: dir, cwd: '/tmp/anode/checkout', keep: [], cover: [], mask: [] }
  const folder = join(dir, 'run')
  await prepareIsolation(folder, places)
  const isolated = (line: string) =>
    isolatedWords(folder, line, places.cwd, '')
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ')
  const whole = await together([put, isolated(ask)])
  if (existsSync(join(folder, 'own', 'report'))) expect(whole).toBe('putnothing')
})

test('arguments and exit codes pass through', async ({ skip }) => {
  const words = sessionKeyringWords()
  if (!words) return skip('no program for keyrings here')
  const [file = '', ...args] = words
  const ran = await run({
    file,
    args: [...args, 'bash', '-c', 'printf "%s|" "$@"; exit 7', 'x', '-a', '', 'b c'],
    cwd: tmpdir(),
  })
  expect({ exit: ran.exit, out: ran.stdout.text, err: ran.stderr.text }).toEqual({
    exit: 7,
    out: '-a||b c|',
    err: '',
  })
})
