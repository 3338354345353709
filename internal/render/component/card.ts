// Card: a border with a title around a column of children.
import type { BoxContainer } from '../layout/container.ts'
import type { Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'

const none = { top: 0, right: 0, bottom: 0, left: 0 }

export function layOutCard(
  { title, backgroundColor, padding }: ComponentProps['Card'],
  pen: Pen,
): BoxContainer {
  const side = Math.trunc(padding ?? 1)
  return {
    frame: {
      margin: none,
      padding: { ...none, left: side, right: side },
      border: { top: 1, right: 1, bottom: 1, left: 1 },
      glyphs: pen.glyphs.borders.round,
      borderColor: undefined,
      borderDim: false,
      backgroundColor: backgroundColor ?? undefined,
      title: title ?? '',
    },
    flow: {
      direction: 'column',
      wrap: 'nowrap',
      align: 'stretch',
      justify: 'flex-start',
      columnGap: 0,
      rowGap: 0,
    },
    grow: 0,
    shrink: 1,
    width: undefined,
    height: undefined,
    minWidth: undefined,
    minHeight: undefined,
    clips: false,
  }
}
