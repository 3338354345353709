// A command of an agent is known by its environment; one of a person is none.
import { expect, test } from 'vitest'
import { isAgentCommand } from '../../../../internal/runtime/workspace/agent-command.ts'
import { scratch } from '../../../support/scratch.ts'

test('the mark of a run tells them apart', () => {
  const env = { ANODE_DATA_DIR: scratch() }
  expect(isAgentCommand({ ...env, ANODE_RUN: 'x' })).toBe(true)
  if (process.env.ANODE_RUN === undefined) expect(isAgentCommand(env)).toBe(false)
})
