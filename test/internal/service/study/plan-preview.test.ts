// The plan alone: the plan of the study, without storing anything.
import { expect, test } from 'vitest'
import { previewPlan } from '../../../../internal/service/study/plan-preview.ts'
import { openJournal } from '../../../../internal/store/journal/sqlite.ts'
import { bench, request } from '../../../support/study-run.ts'

test('by the model, and by rule when the model has none', async () => {
  const at = bench()
  const good = { task: 'plan', text: '{"tasks": [{"objective": "locks"}, {"objective": "crashes"}]}' }
  const made = await previewPlan(
    { ...request, model: at.script([{ task: 'plan', text: 'hm' }, good]) },
    at.run,
  )
  expect(made).toMatchObject({ of: 'model', tasks: [{ objective: 'locks' }, { objective: 'crashes' }] })
  const ruled = await previewPlan({ ...request, model: at.script([]) }, at.run)
  expect(ruled).toMatchObject({ of: 'rules', notices: [], tasks: [{ id: 't1' }, { id: 't2' }] })
  const journal = await openJournal(at.data)
  expect(journal.studies.list({})).toEqual([])
  await journal.close()
})
