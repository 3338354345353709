// The list of types, and that generated properties of every type are valid.
import { expect, test } from 'vitest'
import { componentSchemas, componentTypes, containerTypes } from '../../../../internal/render/spec/props.ts'
import { random } from '../random.ts'
import { makers, wordy } from '../specs.ts'

test('has eighteen types, two of which take children', () => {
  const names =
    'Box Text Heading Divider Newline Spacer BarChart Sparkline Table List Card StatusLine KeyValue Badge ProgressBar Metric Callout Timeline'
  expect(componentTypes).toEqual(names.split(' '))
  expect([...containerTypes]).toEqual(['Box', 'Card'])
})

test.each(componentTypes)(
  '%s: two hundred generated properties are valid, and every property is generated',
  (type) => {
    const rng = random(21)
    const seen = new Set<string>()
    for (let i = 0; i < 200; i++) {
      const props = makers[type](rng, wordy) as object
      for (const key of Object.keys(props)) seen.add(key)
      expect(componentSchemas[type].safeParse(props).error?.issues ?? [], JSON.stringify(props)).toEqual([])
    }
    expect([...seen].sort()).toEqual(Object.keys(componentSchemas[type].def.shape).sort())
  },
)
