// Box: its properties as frame, flow and size.
import type { BoxContainer, BoxExtent } from '../layout/container.ts'
import type { BoxEdges } from '../layout/frame.ts'
import type { Pen } from '../pen.ts'
import type { ComponentProps } from '../spec/props.ts'

export function layOutBox(props: ComponentProps['Box'], pen: Pen): BoxContainer {
  const has = (side: boolean | null | undefined) => (props.borderStyle && side !== false ? 1 : 0)
  return {
    frame: {
      margin: readEdges(props, 'margin'),
      padding: readEdges(props, 'padding'),
      border: {
        top: has(props.borderTop),
        right: has(props.borderRight),
        bottom: has(props.borderBottom),
        left: has(props.borderLeft),
      },
      glyphs: pen.glyphs.borders[props.borderStyle ?? 'single'],
      borderColor: props.borderColor ?? undefined,
      borderDim: props.borderDimColor ?? false,
      backgroundColor: props.backgroundColor ?? undefined,
      title: '',
    },
    flow: {
      direction: props.flexDirection ?? 'row',
      wrap: props.flexWrap ?? 'nowrap',
      align: props.alignItems ?? 'stretch',
      justify: props.justifyContent ?? 'flex-start',
      columnGap: Math.trunc(props.columnGap ?? props.gap ?? 0),
      rowGap: Math.trunc(props.rowGap ?? props.gap ?? 0),
    },
    grow: props.flexGrow ?? 0,
    shrink: props.flexShrink ?? 1,
    width: toExtent(props.width),
    height: toExtent(props.height),
    minWidth: toExtent(props.minWidth),
    minHeight: toExtent(props.minHeight),
    clips: props.overflow === 'hidden',
  }
}

/**
 * Returns the padding or margin of each side in cells. The most specific property counts: `paddingLeft` over
 * `paddingX` over `padding`.
 */
function readEdges(props: ComponentProps['Box'], name: 'padding' | 'margin'): BoxEdges {
  const side = (sideName: 'Top' | 'Right' | 'Bottom' | 'Left', axis: 'X' | 'Y') =>
    Math.trunc(props[`${name}${sideName}`] ?? props[`${name}${axis}`] ?? props[name] ?? 0)
  return {
    top: side('Top', 'Y'),
    right: side('Right', 'X'),
    bottom: side('Bottom', 'Y'),
    left: side('Left', 'X'),
  }
}

function toExtent(size: string | number | null | undefined): BoxExtent | undefined {
  if (size === null || size === undefined) return undefined
  return typeof size === 'number' ? { cells: Math.trunc(size) } : { share: Number(size.slice(0, -1)) / 100 }
}
