// Flags that commands share: the values of --approval, each with its mode, and numbers within their limits.
import { expect, test } from 'vitest'
import {
  approvalChoices,
  positiveArg,
  readApproval,
  readNumber,
  runOptions,
} from '../../../cmd/anode/flags.ts'
import { commonOptions } from '../../../cmd/anode/verb.ts'
import type { UserError } from '../../../internal/base/errors.ts'
import { modes } from '../../../internal/policy/level.ts'

test('approval takes every mode by its name, in their order, and yolo for the last', () => {
  expect(approvalChoices).toEqual([...modes, 'yolo'])
  expect(approvalChoices.map(readApproval)).toEqual([...modes, modes.at(-1)])
})

test('no flag of a run has the name of one that every command has', () => {
  const shared = Object.keys(runOptions).filter((name) => Object.hasOwn(commonOptions, name))
  expect(shared).toEqual([])
})

test.each([
  [1, 1],
  [32, 32],
  [undefined, undefined],
  [0, 'must be a whole number from 1 to 32, got 0 | nearest: --n 1'],
  [33, 'must be a whole number from 1 to 32, got 33 | nearest: --n 32'],
  [2.6, 'must be a whole number from 1 to 32, got 2.6 | nearest: --n 3'],
  [-1e300, 'must be a whole number from 1 to 32, got -1e+300 | nearest: --n 1'],
])('a number from 1 to 32: %s', (n, expected) => {
  const args = n === undefined ? {} : { n }
  const read = () => readNumber(args, 'n', 1, 32)
  if (typeof expected === 'string') expect(told(read)).toBe(`2 --n ${expected}`)
  else expect(read()).toBe(expected)
})

test('a number without an upper end, and one that may have a fraction', () => {
  expect(readNumber({ n: 4e9 }, 'n', 20)).toBe(4e9)
  expect(told(() => readNumber({ n: 19 }, 'n', 20))).toContain('a whole number from 20 on, got 19')
  expect(readNumber({ n: 0.95 }, 'n', 0, 1, false)).toBe(0.95)
  expect(told(() => readNumber({ n: 1.5 }, 'n', 0, 1, false))).toContain('--n must be from 0 to 1, got 1.5')
})

test('a limit is more than nothing', () => {
  expect([positiveArg({}, 'n'), positiveArg({ n: 0.1 }, 'n')]).toEqual([undefined, 0.1])
  for (const n of [0, -1])
    expect(told(() => positiveArg({ n }, 'n'))).toBe('2 --n must be more than 0 | omit --n for no limit')
})

/** Returns exit code, message and hint of the error. */
function told(read: () => unknown): string {
  try {
    return `read: ${read()}`
  } catch (error) {
    const { exit, message, hint = '' } = error as UserError
    return `${exit} ${message} | ${hint}`
  }
}
