// The layout of checked elements to lines and plain text, and the failure of a component.
import { expect, test } from 'vitest'
import { layRoot, type RenderStage, renderPlainText } from '../../../../internal/render/layout/layout-tree.ts'
import { makePen } from '../../../../internal/render/pen.ts'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'
import type { SpecNode } from '../../../../internal/render/spec/validation.ts'
import { look } from '../draw.ts'

const stage = (): RenderStage => ({ pen: makePen(look), errors: collectIssues(), warnings: collectIssues() })

function draw(root: SpecNode, on = stage()): string[] {
  const laid = layRoot(root, on)
  const rows = laid.place(laid.height)
  return Array.from({ length: laid.height }, (_, y) => rows(y).text)
}

const text = (id: string, value: string): SpecNode => ({ id, type: 'Text', props: { text: value }, kids: [] })

test('draws children in their order', () => {
  const root: SpecNode = {
    id: 'r',
    type: 'Box',
    props: { flexDirection: 'column' },
    kids: [text('a', '1'), text('b', '2')],
  }
  expect(draw(root)).toEqual(['1', '2'])
  expect(renderPlainText(root, stage())).toEqual(['1', '2'])
})

test('neither draws nor prints hidden elements', () => {
  const hidden: SpecNode = { id: 'h', type: 'Box', props: { display: 'none' }, kids: [text('x', 'no')] }
  const root: SpecNode = { id: 'r', type: 'Card', props: { title: 'T' }, kids: [hidden, text('a', '1')] }
  expect(draw(root).join()).not.toContain('no')
  expect(renderPlainText(root, stage())).toEqual(['T', '1'])
})

test('reports a component that throws as a separate error, and draws the others', () => {
  // properties that never pass the check
  const broken = { id: 'b', type: 'Text', props: { text: undefined }, kids: [] } as unknown as SpecNode
  const root: SpecNode = {
    id: 'r',
    type: 'Box',
    props: { flexDirection: 'column' },
    kids: [broken, text('a', 'still here')],
  }
  const on = stage()
  expect(draw(root, on)).toContain('still here')
  expect(renderPlainText(root, on)).toContain('still here')
  expect(on.errors.list()).toEqual([
    {
      code: 'internal',
      path: 'elements.b',
      element: 'b',
      message: expect.stringMatching(/^Text b could not be drawn: /),
    },
  ])
})

test('reports once per element that no cell is left', () => {
  const wide: SpecNode = { id: 'w', type: 'Box', props: { width: 40, flexShrink: 0 }, kids: [text('a', 'x')] }
  const row: SpecNode = {
    id: 'r',
    type: 'Box',
    props: { flexWrap: 'nowrap' },
    kids: [wide, text('b', 'y'), { ...wide, id: 'v' }],
  }
  const on = stage()
  draw({ id: 'o', type: 'Box', props: {}, kids: [row] }, on)
  expect(on.warnings.list().map((issue) => `${issue.code} ${issue.element}`)).toEqual([
    'no_room b',
    'no_room v',
  ])
})
