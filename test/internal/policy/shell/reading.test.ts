// The table of programs that only read.
import { expect, test } from 'vitest'
import { gitChanges, readers } from '../../../../internal/policy/shell/reading.ts'
import { risks } from '../../../../internal/policy/shell/risks.ts'

test.each(Object.entries(readers))('%s has no harmless option that is a risk', (name, reader) => {
  for (const risk of [risks[name] ?? []].flat()) {
    expect([...(risk.short ?? '')].filter((letter) => reader.short?.includes(letter))).toEqual([])
    expect(
      (risk.long ?? '').split(' ').filter((one) => one !== '' && reader.long?.split(' ').includes(one)),
    ).toEqual([])
    expect(risk.all).toBeUndefined()
  }
})

test('git options that change something', () => {
  for (const word of ['-d', '-D', '-m', '-f', '--delete', '--force', '-avd'])
    expect(gitChanges.test(word), word).toBe(true)
  for (const word of ['-a', '-v', '-vv', '--list', '-l']) expect(gitChanges.test(word), word).toBe(false)
})
