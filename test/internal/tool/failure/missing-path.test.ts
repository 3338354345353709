// Failures of calls whose path has nothing at it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../../../support/anode.ts'

let at: World
beforeAll(() => {
  at = world()
  at.put('source/alpha.ts', 'export const a = 1\n')
})
afterAll(() => at.remove())

test('a call gets the similar name and keeps the code of its failure', async () => {
  const call = ['tools', 'use', 'grep', '--arg', 'pattern=a', '--output', 'json', '--arg']
  const { out } = await at.anode([...call, 'path=source/alpa.ts'])
  expect(JSON.parse(out).error).toEqual({
    code: 'not_found',
    message: 'source/alpa.ts does not exist',
    hint: 'did you mean source/alpha.ts?',
  })
  expect(JSON.parse((await at.anode([...call, 'path=zzzzz'])).out).error).not.toHaveProperty('hint')
})
