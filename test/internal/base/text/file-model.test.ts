// Which names of models are those of files, in every spelling that a client may try.
import { describe, expect, it } from 'vitest'
import { namesFileModel, refuseFileModel } from '../../../../internal/base/text/file-model.ts'
import { spellFileModels } from '../../../support/file-model-names.ts'

const spellings = spellFileModels('/tmp/f')

describe('names of models', () => {
  it(`are those of files in each of ${spellings.length} spellings`, () => {
    expect(spellings.filter((name) => !namesFileModel(name))).toEqual([])
  })

  it.each([
    ...['builtin/extract', 'openai/gpt-5', 'openai/gpt-5,anthropic/claude', 'ollama/script:7b'],
    ...['openrouter/x/record:free', 'local/replay', 'scripts/x:1', 'recorder:x', ''],
  ])('%s is a model of a provider', (name) => {
    expect(namesFileModel(name)).toBe(false)
  })

  it('are rejected with the name, the position and a fix', () => {
    const refuse = () => refuseFileModel(`record:${'x'.repeat(500)}`, 'a tool call')
    expect(refuse).toThrow(/^the model "record:x{112}…" is a file: .* refused in a tool call$/)
    expect(refuse).toThrow(expect.objectContaining({ hint: expect.stringMatching(/anode models/) }))
  })
})
