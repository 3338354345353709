// The table of runners.
import { expect, test } from 'vitest'
import { builders, localName } from '../../../../internal/policy/shell/building.ts'

test('programs of the workspace', () => {
  expect(localName('node_modules/.bin/tsc')).toBe('tsc')
  expect(localName('./node_modules/.bin/tsc')).toBe('tsc')
  expect(localName('./gradlew')).toBe('gradlew')
  for (const path of [
    '/node_modules/.bin/tsc',
    '../node_modules/.bin/tsc',
    'node_modules/.bin/../x',
    './tsc',
    'gradlew/x',
  ]) {
    expect(localName(path), path).toBeUndefined()
  }
})

test.each(Object.entries(builders))('%s lists its options without dashes', (_, builder) => {
  expect(builder.flags?.split(' ').filter((flag) => flag.startsWith('-') || flag === '') ?? []).toEqual([])
})
