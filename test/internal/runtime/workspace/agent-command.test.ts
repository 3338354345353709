// The detection of an agent's command by its environment. A user's command is not detected.
import { expect, test } from 'vitest'
import { isAgentCommand } from '../../../../internal/runtime/workspace/agent-command.ts'
import { scratch } from '../../../support/scratch.ts'

test('only a command with the mark of a run is detected', () => {
  const env = { ANODE_DATA_DIR: scratch() }
  expect(isAgentCommand({ ...env, ANODE_RUN: 'x' })).toBe(true)
  if (process.env.ANODE_RUN === undefined) expect(isAgentCommand(env)).toBe(false)
})
