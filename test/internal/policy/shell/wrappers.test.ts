// The table of wrappers says nothing twice.
import { expect, test } from 'vitest'
import { shells, wrappers } from '../../../../internal/policy/shell/wrappers.ts'

test.each(Object.entries(wrappers))('%s', (name, table) => {
  const valued = table.valued ?? ''
  const scripts = (table.script ?? '').split(' ').filter((one) => one.length === 1)
  expect([...(table.flags ?? '')].filter((letter) => valued.includes(letter))).toEqual([])
  expect(scripts.filter((letter) => valued.includes(letter) || table.flags?.includes(letter))).toEqual([])
  const long = (table.long ?? '').split(' ')
  expect((table.longValued ?? '').split(' ').filter((one) => one !== '' && long.includes(one))).toEqual([])
  expect(name).toBe(name.trim())
  expect(shells.has(name)).toBe(false)
})
