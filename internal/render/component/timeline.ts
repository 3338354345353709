// Timeline: steps below each other, each with a mark for its status.

import { hangText, joinLines, type Pen, type RenderedLine } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'
import { type ComponentRenderer, limitItems } from './component.ts'

type TimelineStep = ComponentProps['Timeline']['items'][number]

const colors = { completed: 'green', current: 'cyan', upcoming: undefined } as const

export const timeline: ComponentRenderer<ComponentProps['Timeline']> = {
  draw({ items }, width, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(items, 'steps', pen, warn)
    const lines = visibleItems.flatMap((step, i) => drawStep(step, i === visibleItems.length - 1, width, pen))
    const note = rest ?? (items.length === 0 ? '(no items)' : undefined)
    return note ? [...lines, ...pen.wrap(note, width).map((text) => pen.line(text))] : lines
  },
  speak({ items }, pen, warn) {
    const { shown: visibleItems, rest } = limitItems(items, 'steps', pen, warn)
    if (items.length === 0) return ['(no items)']
    return [...visibleItems.flatMap(speakStep), ...(rest ? [rest] : [])]
  },
}

function drawStep(step: TimelineStep, isLast: boolean, width: number, pen: Pen): RenderedLine[] {
  const status = step.status ?? 'upcoming'
  const mark = `${pen.glyphs.step[status]} `
  const title = step.date ? `${step.title} (${step.date})` : step.title
  const style = { bold: status === 'current', dim: status === 'upcoming' }
  const head = hangText(mark, { color: colors[status] }, title, style, width, pen)
  if (!step.description) return head
  const size = mark.length
  const thread = isLast ? '' : pen.glyphs.thread
  const side = pen.line(size * 2 <= width ? thread.padEnd(size) : '')
  const body = pen.wrap(step.description, width - side.cells)
  return [...head, ...body.map((text) => joinLines(side, pen.line(text, { dim: true })))]
}

function speakStep({ title, date, status, description }: TimelineStep): string[] {
  const head = [title, ` (${status ?? 'upcoming'}`, date ? `, ${date})` : ')'].join('')
  return `${head}${description ? `: ${description}` : ''}`.split('\n')
}
