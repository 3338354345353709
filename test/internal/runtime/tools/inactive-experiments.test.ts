// When a model is offered the tools of an experiment session.
import { expect, it } from 'vitest'
import { hideInactiveExperiments } from '../../../../internal/runtime/tools/inactive-experiments.ts'
import type { ListedTool } from '../../../../internal/tool/catalog.ts'

it('offers a model running and logging only in a session', () => {
  let active = false
  const entries = ['read', 'init_experiment', 'run_experiment'].map((name) => ({ name, hidden: undefined }))
  const tools = hideInactiveExperiments(
    () => entries as ListedTool[],
    () => active,
  )
  const shown = () => tools().flatMap(({ name, hidden }) => (hidden === undefined ? [name] : []))
  expect(shown()).toEqual(['read', 'init_experiment'])
  expect(tools()).toBe(tools())
  active = true
  expect(shown()).toEqual(['read', 'init_experiment', 'run_experiment'])
})
