// test_failure_analysis/scripts/repeat.sh counts how a command ends.
import { readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runScript, scratch } from '../support/script.ts'

const run = (...args: string[]) => runScript('test_failure_analysis/scripts/repeat.sh', args, scratch())

test('always green', () => {
  const { code, out } = run('3', 'true')
  expect(code).toBe(0)
  expect(out).toBe(
    'runs 3, failed 0\nexit code 0: 3 times\nwith 95 % confidence the failure rate is below 63.2 %\n',
  )
})

test('sometimes red: counts, and the first failing output is kept', () => {
  const { code, out } = run(
    '4',
    'bash',
    '-c',
    'echo x >> n; echo "run $(wc -l < n)"; [ $(( $(wc -l < n) % 2 )) = 1 ] || exit 3',
  )
  expect(code).toBe(1)
  expect(out).toContain('runs 4, failed 2\nexit code 0: 2 times\nexit code 3: 2 times\n')
  const kept = /first failing output: (\S+)/.exec(out)?.[1] ?? ''
  expect(readFileSync(kept, 'utf8')).toMatch(/run +2/)
  rmSync(kept)
})

test.each([[[]], [['3']], [['x', 'true']], [['0', 'true']]])('%j is wrong use', (args) => {
  expect(run(...args)).toMatchObject({ code: 2, err: expect.stringContaining('usage') })
})
