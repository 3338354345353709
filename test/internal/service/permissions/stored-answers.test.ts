// Answers given as "always", listed as rules of their workspace and revoked by number.
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withDataStore } from '../../../../internal/runtime/workspace/data-store.ts'
import {
  forgetStoredAnswer,
  listStoredAnswers,
} from '../../../../internal/service/permissions/stored-answers.ts'
import { scratch } from '../../../support/scratch.ts'

test('reading creates no store', async () => {
  const data = scratch()
  expect(await listStoredAnswers(scratch(), { ANODE_DATA_DIR: data })).toEqual([])
  expect(readdirSync(data)).toEqual([])
})

test('lists only those of the workspace, until they are revoked', async () => {
  const [workspace, other] = [scratch(), scratch()]
  const env = { ANODE_DATA_DIR: scratch() }
  const rule = { tool: 'bash', action: 'allow' }
  await withDataStore(env, (store) => {
    store.answers.add(workspace, rule)
    store.answers.add(other, rule)
  })
  const [answer, ...more] = await listStoredAnswers(workspace, env)
  expect([answer?.rule, more]).toEqual([{ ...rule, origin: 'answer' }, []])
  const id = Number(answer?.id)
  expect(await forgetStoredAnswer(other, id, env)).toBe(false)
  expect(await forgetStoredAnswer(workspace, id, env)).toBe(true)
  expect(await listStoredAnswers(workspace, env)).toEqual([])
})
