// Complete and ordered output of commands for every kind of standard output.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'
import { root } from '../support/sources.ts'

let w: World
const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}\n`).join('')
const shown = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\tline ${i}\n`).join('')

beforeAll(() => {
  w = world()
  w.put('short.txt', lines(3))
  w.put('long.txt', lines(40_000))
})
afterAll(() => w.remove())

/** Runs a shell command in which `anode` is the built program. */
const shell = (line: string) =>
  execFileSync(
    'sh',
    ['-c', `anode() { "${process.execPath}" "${join(root, 'dist', 'anode.cjs')}" "$@"; }; ${line}`],
    {
      cwd: w.dir,
      env: { PATH: process.env.PATH, HOME: w.dir, ANODE_DATA_DIR: w.data },
      encoding: 'utf8',
      maxBuffer: 1 << 24,
    },
  )

const read = (file: string, end: number) =>
  `anode tools use read --json '{"path":"${file}","end_line":${end}}'`
const calls = (count: number) =>
  Array.from({ length: count }, () => '{"tool":"read","args":{"path":"short.txt"}}').join('\\n')

test.each([
  ['a pipe', '| cat'],
  ['a pipe that is read late', '| (sleep 0.3; cat)'],
  ['a file', '> out; cat out'],
])('short and long texts through %s', (_, to) => {
  expect(shell(`${read('short.txt', 3)} ${to}`)).toBe(shown(3))
  expect(shell(`${read('long.txt', 40_000)} ${to}`)).toBe(shown(40_000))
})

test('many texts keep their order', () => {
  const out = shell(
    `printf '${calls(200)}\\n{"tool":"read","args":{"path":"long.txt","end_line":40000}}\\n' | anode tools batch | cat`,
  )
  const texts = out
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  expect(texts).toHaveLength(201)
  expect(new Set(texts.slice(0, 200)).size).toBe(1)
  expect(`${texts[200]}`.length).toBeGreaterThan(65_536)
})

test('ends quietly when the reader closes the pipe', () => {
  expect(shell(`(${read('short.txt', 3)}; echo $? >&3) 3>code | true; cat code`)).toBe('0\n')
  expect(
    shell(`(${read('long.txt', 40_000)} 2>&3; echo code $? >&3) 3>said | head -c 5 > start; cat start said`),
  ).toBe('1\tlincode 0\n')
})

test.runIf(existsSync('/dev/full'))('reports a full disk in one line, with exit code 1', () => {
  expect(shell(`${read('short.txt', 3)} 2>&1 > /dev/full; echo $?`)).toMatch(
    /^anode: the output could not be written: .*\n1\n$/,
  )
})
