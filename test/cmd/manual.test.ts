// The manual, read from the program.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type World, world } from '../support/anode.ts'

let w: World
beforeAll(() => {
  w = world()
})
afterAll(() => w.remove())

test('lists its pages, as text and as JSON', async () => {
  expect((await w.anode(['manual'])).out).toMatch(/permissions +Permissions/)
  const pages = JSON.parse((await w.anode(['manual', '--json'])).out) as { page: string; title: string }[]
  expect(pages).toContainEqual({ page: 'tools/grep', title: 'grep' })
  expect(pages.filter(({ title }) => title === '')).toEqual([])
})

test.each(['permissions', 'manual/permissions.md', 'PERMISSIONS'])('%s is the page', async (name) => {
  expect((await w.anode(['manual', name])).out).toMatch(/^# Permissions/)
})

test('a last part is enough where it is the only one; a command comes before a tool', async () => {
  expect((await w.anode(['manual', 'multi_read'])).out).toContain('# multi_read')
  expect((await w.anode(['manual', 'doctor'])).out).toContain('# anode doctor')
})

test.each(['permisions', '../../../etc/passwd', '../README'])('%s is no page', async (name) => {
  const { code, out, err } = await w.anode(['manual', name])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('the manual has no page')
})
