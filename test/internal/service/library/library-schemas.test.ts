// Declarations of tools by name and of functions, as endpoints of models take them.
import { expect, test } from 'vitest'
import { declareLibraryTools } from '../../../../internal/service/library/library-schemas.ts'

const greet = {
  name: 'greet',
  description: 'Greets\nOnce.',
  input_schema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  execute: () => 'hello',
}

test('in the order of the list, with every parameter', async () => {
  const made = await declareLibraryTools(['read', greet, 'hooman/edit_file', 'fs_list'])
  expect(made.map((one) => one.function.name)).toEqual(['read', 'greet', 'edit_file', 'fs_list'])
  expect(made[1]?.function.parameters).toMatchObject({
    properties: { who: { type: 'string' } },
    required: ['who'],
  })
  expect(made.every((one) => one.type === 'function' && one.function.description !== '')).toBe(true)
})

test('names of a toolset, where one is given', async () => {
  const made = await declareLibraryTools(['edit', greet], { toolset: 'ah' })
  expect(made.map((one) => one.function.name)).toEqual(['edit', 'greet'])
  await expect(declareLibraryTools(['edit'])).rejects.toThrow('unknown tool edit')
  await expect(declareLibraryTools(['read'], { toolset: 'none' })).rejects.toThrow()
})
