// Suggested rules from a real store of questions and answers.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createId } from '../../../../internal/base/ids.ts'
import { suggestRules } from '../../../../internal/service/permissions/suggested-rules.ts'
import { openStore } from '../../../../internal/store/sqlite.ts'
import { scratch } from '../../../support/scratch.ts'

test('suggests a rule after three approvals, but not for calls that a rule already covers', async () => {
  const dir = scratch()
  const workspace = join(dir, 'w')
  mkdirSync(workspace)
  const store = await openStore(join(dir, 'data'))
  const thread = store.threads.create({ workspace, title: 'asked', profile: 'craft' })
  const run = createId('run')
  let calls = 0
  const answer = (command: string, action: 'allow' | 'deny') => {
    const call = `c${++calls}`
    const always = { rule: { tool: 'bash', action: 'allow', command }, covers: `lines with ${command}` }
    store.threads.append(thread.id, run, [
      { type: 'permission.asked', payload: { call, tool: 'bash', reasons: [], always } },
      { type: 'permission.decided', payload: { call, tool: 'bash', action, why: 'answered' } },
    ])
  }
  for (const command of ['npm test', 'make', 'npm test', 'make', 'npm test', 'ls', 'ls'])
    answer(command, 'allow')
  answer('npm test', 'deny')
  answer('make', 'allow')
  answer('npm test', 'allow')
  const rule = (command: string) => ({ tool: 'bash', action: 'allow', command })
  expect(suggestRules(store, workspace)).toEqual([
    { rule: rule('npm test'), covers: 'lines with npm test', approved: 4, denied: 1 },
    { rule: rule('make'), covers: 'lines with make', approved: 3, denied: 0 },
  ])
  store.answers.add(workspace, rule('npm test'))
  expect(suggestRules(store, workspace).map((one) => one.rule)).toEqual([rule('make')])
  expect(suggestRules(store, workspace, Date.now() + 60_000)).toEqual([])
  expect(suggestRules(store, dir)).toEqual([])
  store.close()
})
