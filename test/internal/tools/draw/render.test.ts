// render: the text a model reads, the spec handed on as it came, errors as data.
import { expect, test } from 'vitest'
import { render } from '../../../../internal/tools/draw/render.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const card = render.example
const run = (args: unknown) => call(render, args, ctxWith())

test('draws the example with eighty cells and no color', async () => {
  const { text, failed } = await run(card)
  expect(failed).toBeUndefined()
  expect(text.split('\n')).toEqual([
    `╭─ Health ${'─'.repeat(69)}╮`,
    `│ ✔ API${' '.repeat(72)}│`,
    `╰${'─'.repeat(78)}╯`,
  ])
})

test('returns the spec unchanged, and the spec draws the same again', async () => {
  const { data, text } = await run(card)
  const spec = (data as { render_spec: unknown }).render_spec
  expect(spec).toEqual(card)
  expect((await run(spec)).text).toBe(text)
})

test('shows warnings below the lines', async () => {
  const elements = { a: { type: 'ProgressBar', props: { progress: 3, width: 4 } } }
  const { text, data } = await run({ root: 'a', elements })
  expect(text).toBe('████ 100%\nwarning clamped at elements.a.props.progress: 3 was taken as 1')
  expect(data).toMatchObject({ errors: [], warnings: [{ code: 'clamped' }] })
})

test('a bad spec fails with every problem, and the result still contains the spec', async () => {
  const elements = { a: { type: 'Tabel' }, b: { type: 'Text', props: {} } }
  const { text, data, failed } = await run({ root: 'a', elements })
  expect(failed?.code).toBe('bad_spec')
  expect(text.split('\n')).toEqual([
    'error bad_spec: the spec cannot be drawn',
    'error unknown_type at elements.a.type: Tabel: did you mean Table?',
    'error missing_prop at elements.b.props.text: is required',
    'warning orphaned_element at elements.b: hangs below nothing',
    expect.stringContaining('send the whole spec again'),
  ])
  expect(data).toMatchObject({ render_spec: { root: 'a', elements }, errors: [{}, {}] })
})

test('no control character of a spec reaches the text', async () => {
  const elements = { 'a\x1b[31m': { type: 'Text', props: { text: '\x1b]0;x\x07y\u202e' } } }
  const { text } = await run({ root: 'a\x1b[31m', elements })
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
})
