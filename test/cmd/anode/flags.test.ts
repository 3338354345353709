// Flags that commands share: the words of --approval, each with its mode.
import { expect, test } from 'vitest'
import { approvalChoices, readApproval, runOptions } from '../../../cmd/anode/flags.ts'
import { commonOptions } from '../../../cmd/anode/verb.ts'
import { modes } from '../../../internal/policy/level.ts'

test('approval takes every mode by its name, in their order, and yolo for the last', () => {
  expect(approvalChoices).toEqual([...modes, 'yolo'])
  expect(approvalChoices.map(readApproval)).toEqual([...modes, modes.at(-1)])
})

test('no flag of a run has the name of one that every command has', () => {
  const shared = Object.keys(runOptions).filter((name) => Object.hasOwn(commonOptions, name))
  expect(shared).toEqual([])
})
