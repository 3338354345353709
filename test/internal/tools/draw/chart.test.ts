// chart: lines, exact values and a spec in the data, refusals.
import { expect, test } from 'vitest'
import { toJsonSchema } from '../../../../internal/tool/describe.ts'
import { chart } from '../../../../internal/tools/draw/chart.ts'
import { render } from '../../../../internal/tools/draw/render.ts'
import { nativeTools } from '../../../../internal/tools/index.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const run = (args: unknown) => call(chart, args, ctxWith())

test('draws the example with a title and two bars', async () => {
  const { text, data } = await run(chart.example)
  expect(text.split('\n')).toEqual([
    'latency',
    `p50 ${'█'.repeat(10)}▋${' '.repeat(29)} 12`,
    `p95 ${'█'.repeat(40)} 45`,
  ])
  expect(data).toMatchObject({
    type: 'bar',
    points: [
      { label: 'p50', value: 12 },
      { label: 'p95', value: 45 },
    ],
  })
})

test.each(['bar', 'sparkline', 'table'])('%s: the spec in the data draws the same', async (type) => {
  const { text, data } = await run({
    type,
    title: 'load',
    series: [
      { label: 'a', value: 1 },
      { label: 'b', value: -3.5 },
    ],
  })
  const again = await call(render, (data as unknown as { render_spec: unknown }).render_spec, ctxWith())
  expect(again.text).toBe(text)
  expect(again.data).toMatchObject({ warnings: [], errors: [] })
})

const refused: [object, string][] = [
  [{}, 'one_of_data_series'],
  [{ data: { a: 1 }, series: [] }, 'one_of_data_series'],
]

test.each(refused)('rejects %j', async (args, code) => {
  const { failed, text } = await run(args)
  expect(failed?.code).toBe(code)
  expect(text).toContain(failed?.message)
})

test('an empty chart is not a failure', async () => {
  expect(await run({ data: {} })).toMatchObject({ text: '(no data)' })
  expect((await run({ series: [], title: 'load' })).failed).toBeUndefined()
})

test('replaces widths outside of the range by the nearest width', async () => {
  expect((await run({ data: { a: 1 }, width: 2 })).text).toContain('width 2 was taken as 10')
  expect((await run({ data: { a: 1 }, width: '20' })).text).toBe(`a ${'█'.repeat(20)} 1`)
})

test('a point needs a label and a value', async () => {
  await expect(run({ series: [{ label: 'a' }] })).rejects.toThrow(
    'missing required parameter series[0].value',
  )
  await expect(run({ series: [{ value: 1 }] })).rejects.toThrow('series[0].label')
  await expect(run({ data: [1] })).rejects.toThrow('data must be an object')
})

test('no parameter of any tool has a list of types', async () => {
  const lists = (schema: unknown): unknown[] => {
    if (typeof schema !== 'object' || schema === null) return []
    const { type } = schema as { type?: unknown }
    return [...(Array.isArray(type) ? [type] : []), ...Object.values(schema).flatMap(lists)]
  }
  const all = await Promise.all(Object.values(nativeTools).map((load) => load()))
  expect(all.length).toBeGreaterThan(30)
  for (const one of all) expect([one.name, lists(toJsonSchema(one.input))]).toEqual([one.name, []])
})

test.each([[1], ['1'], ['a']])('a label may be %j', async (label) => {
  expect((await run({ series: [{ label, value: 2 }] })).data).toMatchObject({
    points: [{ label: String(label) }],
  })
})

test.each([[true], [null], [{}], [['a']]])('a label may not be %j', async (label) => {
  await expect(run({ series: [{ label, value: 2 }] })).rejects.toThrow('series[0].label')
})
