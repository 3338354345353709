// An approval of a very long call: it appears at once, keys are answered, and no key allows it before its
// end was shown.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sampleRows } from '../../support/sample.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { untilAnswerable } from '../../support/waiting.ts'

const lines = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${make(i)}\n`).join('')

/** The dialog opens when no key came for so long. */
const quietMs = 800
/** Many times what is wanted (200 and 33), for machines that do other things as well. */
const mostMs = { open: 15_000, key: 8_000 }

const create = (path: string, content: string) => ({
  name: 'create_file',
  args: { path, content, overwrite: true },
})
const calls = [
  [
    '5 MB',
    create(
      'made',
      lines(160_000, (i) => `line ${i} of the file, in words`),
    ),
  ],
  ['a line of 1 MB', { name: 'bash', args: { command: `echo ${'y'.repeat(1024 * 1024)} > made` } }],
  ['5 MB of wide words in one line', create('made', '漢é'.repeat(1_000_000))],
  [
    'a change of 100,000 lines',
    create(
      'old',
      lines(50_000, (i) => `const value${i} = again(${i})`),
    ),
  ],
] as const
const rows = calls.flatMap(([what, call]) =>
  ['inline', 'full'].map((form) => [what, form, call] as [string, string, (typeof calls)[number][1]]),
)

it.each(sampleRows(rows, 8))('%s (%s)', async (_, form, call) => {
  const here = openScreenWorld([{ calls: [call] }, { text: 'That was all.' }])
  here.put(
    'old',
    lines(50_000, (i) => `const value${i} = once(${i})`),
  )
  const { until, type, program, exit, screen } = here.start([
    ...[...here.model, '--approval', 'ask', '--screen', form],
  ])
  await until(/\? help/)
  const memory = () => {
    const status = readFileSync(`/proc/${program.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024
  }
  const before = memory()
  type('go')
  await until(/\n go\n/)
  const start = performance.now()
  type('\r')
  await until(/read all to allow/)
  expect(performance.now() - start).toBeLessThan(quietMs + mostMs.open)
  await untilAnswerable('key')
  const press = async (key: string, seen: () => boolean) => {
    const at = performance.now()
    type(key)
    await until(seen)
    expect(performance.now() - at).toBeLessThan(mostMs.key)
  }
  const place = () => /lines (\d+)-/.exec(screen())?.[1]
  for (let i = 0; i < 8; i++) {
    const was = place()
    await press(' ', () => place() !== was)
  }
  await press('v', () => /Esc back/.test(screen()))
  // who goes to its end without what lies between has not read it
  type('G')
  await until(/lines (\d+-)(\d+) of \2 /)
  await press('q', () => /Esc:? (decide )?later/.test(screen()))
  // one at a time, because keys that arrive together go to the input line
  const isHinted = () => /Space shows the rest/.test(screen())
  for (const key of 'ysa') {
    await press(key, isHinted)
    await press('\x1b[A', () => !isHinted())
  }
  expect(screen()).toContain('read all to allow')
  expect(memory() - before).toBeLessThan(300)
  type('n')
  await until(/That was all\./)
  expect(existsSync(join(here.dir, 'made'))).toBe(false)
  expect(readFileSync(join(here.dir, 'old'), 'utf8')).toContain('once(49999)')
  program.kill('SIGTERM')
  expect(await exit).toBe(143)
})
