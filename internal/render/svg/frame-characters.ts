// Frames, bars and shades of a terminal as SVG shapes, because the characters of fonts leave
// gaps between rows.
import { once } from '../../base/once.ts'

/** Style of the line from the center of a cell to one of its sides. */
type LineWeight = 'light' | 'heavy' | 'double'
type CellSide = 'up' | 'down' | 'left' | 'right'
type SideWeights = Partial<Record<CellSide, LineWeight>>

interface CellBox {
  x: number
  y: number
  width: number
  height: number
}

const letters: Readonly<Record<string, CellSide>> = { u: 'up', d: 'down', l: 'left', r: 'right' }

/**
 * Sides to which the lines of a frame character lead (l, r, u, d), in the order of the characters in
 * the tables below.
 */
const shapes = ['lr', 'ud', 'dr', 'dl', 'ur', 'ul', 'udr', 'udl', 'dlr', 'ulr', 'udlr']
const families: readonly [LineWeight, string][] = [
  ['light', '─│┌┐└┘├┤┬┴┼'],
  ['heavy', '━┃┏┓┗┛┣┫┳┻╋'],
  ['double', '═║╔╗╚╝╠╣╦╩╬'],
]
/**
 * Frame characters whose vertical lines have one style and whose horizontal lines another, in the
 * order of `shapes`.
 */
const mixed: readonly [vertical: LineWeight, horizontal: LineWeight, string][] = [
  ['double', 'light', '  ╓╖╙╜╟╢╥╨╫'],
  ['light', 'double', '  ╒╕╘╛╞╡╤╧╪'],
]
const halves = { '╴': 'l', '╵': 'u', '╶': 'r', '╷': 'd', '╎': 'ud', '╌': 'lr' }
const arcs: Readonly<Record<string, readonly [CellSide, CellSide]>> = {
  '╭': ['down', 'right'],
  '╮': ['down', 'left'],
  '╰': ['up', 'right'],
  '╯': ['up', 'left'],
}

function toSides(shape: string, vertical: LineWeight, horizontal: LineWeight): SideWeights {
  const isVertical = (letter: string) => letter === 'u' || letter === 'd'
  return Object.fromEntries(
    [...shape].map((letter) => [letters[letter], isVertical(letter) ? vertical : horizontal]),
  )
}

const linesOf = once(
  (): ReadonlyMap<string, SideWeights> =>
    new Map([
      ...families.flatMap(([weight, text]) =>
        [...text].map((char, i) => [char, toSides(shapes[i] as string, weight, weight)] as const),
      ),
      ...mixed.flatMap(([vertical, horizontal, text]) =>
        [...text].map((char, i) => [char, toSides(shapes[i] as string, vertical, horizontal)] as const),
      ),
      ...Object.entries(halves).map(([char, shape]) => [char, toSides(shape, 'light', 'light')] as const),
    ]),
)

const rising = '▁▂▃▄▅▆▇█'
const growing = '▏▎▍▌▋▊▉'
const shades = '░▒▓'

/** Matches characters that are drawn as shapes and not as letters. */
export const frameCharacters =
  /[\u2500-\u2503\u254c\u254e\u250c-\u254b\u2550-\u2570\u2574-\u2577\u2581-\u2593]/

/**
 * Matches a run of one of ─ ━ ═ █ ░ ▒ ▓, which is drawn as one wide shape, because seams between cells would
 * be visible. Matches any other character alone.
 */
export const stretching = /─+|━+|═+|█+|░+|▒+|▓+|./gsu

export const roundToTenth = (value: number) => Math.round(value * 10) / 10

/**
 * Returns the SVG element of a frame character in `box`, which may be several cells wide. An unknown
 * character gets an empty path.
 */
export function drawFrameCharacter(text: string, box: CellBox, color: string): string {
  const bar = drawBar(text, box, color)
  if (bar !== undefined) return bar
  const arc = arcs[text]
  const paths = arc ? [arcPath(arc, box)] : linePaths(linesOf().get(text) ?? {}, box)
  const isHeavy = Object.values(linesOf().get(text) ?? {}).includes('heavy')
  const width = isHeavy ? '2" stroke-linecap="square' : '1'
  const dashes = text === '╎' || text === '╌' ? ' stroke-dasharray="3"' : ''
  const fill = arc ? ' fill="none"' : ''
  return `<path d="${paths.join('')}" stroke="${color}" stroke-width="${width}"${dashes}${fill}/>`
}

function drawBar(text: string, box: CellBox, color: string): string | undefined {
  const [up, right, shade] = [rising, growing, shades].map((all) => all.indexOf(text) + 1) as [
    number,
    number,
    number,
  ]
  const rect = (x: number, y: number, width: number, height: number, more = '') => {
    const size = `width="${roundToTenth(width)}" height="${roundToTenth(height)}"`
    return `<rect x="${x}" y="${roundToTenth(y)}" ${size} fill="${color}"${more}/>`
  }
  if (up > 0) {
    const height = roundToTenth((box.height * up) / rising.length)
    return rect(box.x, box.y + box.height - height, box.width, height)
  }
  if (right > 0) {
    const width = (box.width * right) / rising.length
    return rect(box.x, box.y, width, box.height)
  }
  if (shade > 0) return rect(box.x, box.y, box.width, box.height, ` opacity="${shade / 4}"`)
  return undefined
}

/** Returns the path of a rounded corner that connects two sides of the box. */
function arcPath([vertical, horizontal]: readonly [CellSide, CellSide], box: CellBox): string {
  const { x, y, top, bottom, left, right } = measureBox(box)
  const radius = roundToTenth(Math.min(box.width, box.height) / 2)
  const down = vertical === 'down'
  const toRight = horizontal === 'right'
  const start = down ? roundToTenth(y + radius) : roundToTenth(y - radius)
  const end = roundToTenth(x + (toRight ? radius : -radius))
  return `M${x} ${down ? bottom : top}V${start}Q${x} ${y} ${end} ${y}H${toRight ? right : left}`
}

function measureBox({ x, y, width, height }: CellBox) {
  return {
    x: roundToTenth(x + width / 2),
    y: roundToTenth(y + height / 2),
    top: y,
    bottom: roundToTenth(y + height),
    left: x,
    right: roundToTenth(x + width),
  }
}

/** Half of the distance between the two strokes of a double line. */
const apart = 1.5

function linePaths(sides: SideWeights, box: CellBox): string[] {
  const at = measureBox(box)
  return (['up', 'down', 'left', 'right'] as const).flatMap((side) => {
    const weight = sides[side]
    if (weight === undefined) return []
    const isVertical = side === 'up' || side === 'down'
    const end = isVertical
      ? `V${side === 'up' ? at.top : at.bottom}`
      : `H${side === 'left' ? at.left : at.right}`
    const direction = side === 'up' || side === 'left' ? -1 : 1
    return (weight === 'double' ? [-apart, apart] : [0]).map((offset) => {
      const start = direction * startOffset(sides, isVertical, offset)
      return isVertical
        ? `M${roundToTenth(at.x + offset)} ${roundToTenth(at.y + start)}${end}`
        : `M${roundToTenth(at.x + start)} ${roundToTenth(at.y + offset)}${end}`
    })
  })
}

/**
 * Returns the distance from the center of the cell at which a stroke starts; negative if that is on the other
 * side of the center. It is 0 unless a double line crosses. Then the stroke starts at one of the two crossing
 * strokes: the nearer one if the stroke is inside a corner, otherwise the farther one.
 */
function startOffset(sides: SideWeights, isVertical: boolean, offset: number): number {
  const [before, after] = isVertical ? [sides.left, sides.right] : [sides.up, sides.down]
  if (before !== 'double' && after !== 'double') return 0
  const inner = offset < 0 ? before : offset > 0 ? after : undefined
  return inner === 'double' ? apart : -apart
}
