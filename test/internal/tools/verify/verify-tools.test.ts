// The tools that check work and claims: levels, who gets them, and arguments that they refuse.
import { expect, it } from 'vitest'
import { listRareTools } from '../../../../internal/runtime/tools/offered-tools.ts'
import {
  describeNatives,
  restrictTools,
  visibleTools,
} from '../../../../internal/runtime/tools/tool-registry.ts'
import { verifyTools } from '../../../../internal/tools/verify/index.ts'
import { ctxWith } from '../../../support/ctx.ts'

const levels = {
  prove: 'confirm_execute',
  research_compare: 'confirm_execute',
  study: 'delegated',
  study_verify: 'auto_read',
}

const entries = (await describeNatives()).map((one) => ({
  ...one,
  load: () => Promise.reject(new Error('it is only listed')),
}))
const all = visibleTools(entries, { profile: undefined, disabled: [], web: true })

it.each(Object.entries(levels))('%s has the level %s', (name, level) => {
  expect(all.find((one) => one.name === name)).toMatchObject({ level, hidden: undefined })
})

it.each([
  ['no list', undefined],
  ['a list of everything', ['*']],
  ['a list of their names', Object.keys(levels)],
])('a subagent gets study_verify alone of them: %s', (_, only) => {
  const shown = restrictTools(all, only, true)
  const offered = Object.keys(levels).filter((name) => !shown.find((one) => one.name === name)?.hidden)
  expect(offered).toEqual(['study_verify'])
  // the agent that the user started gets what it lists
  expect(
    Object.keys(levels).filter(
      (name) => !restrictTools(all, only, false).find((one) => one.name === name)?.hidden,
    ),
  ).toEqual(Object.keys(levels))
})

it('all wait behind tool_search', () => {
  const rare = listRareTools(all, 200_000)
  expect(Object.keys(levels).filter((name) => !rare.has(name))).toEqual([])
})

it.each([
  ['prove', { commands: ['npm test', ' '] }, 'commands: a command is empty'],
  ['study', {}, 'pass either question or id'],
  ['study', { question: 'a', id: 'b' }, 'pass either question or id'],
  ['study_verify', {}, 'pass either id or text'],
] as const)('%s refuses %j', async (name, args, message) => {
  const tool = verifyTools[name]
  const ctx = ctxWith()
  await expect(tool?.run({ wait_s: 0, ...args }, ctx)).rejects.toThrow(message)
})

it.each(Object.keys(levels))('%s says that it needs a session with the capability', (name) => {
  expect(verifyTools[name]?.available?.(ctxWith())).toBe('nothing can be verified in this session')
})
