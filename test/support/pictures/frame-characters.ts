// Frames and bars of a terminal as SVG shapes: fonts leave gaps between rows, shapes do not.

/** For each character the sides that its lines reach: up, down, left, right. */
const sides: Readonly<Record<string, string>> = {
  ...{ '─': 'lr', '│': 'ud', '┃': 'ud', '╎': 'ud', '┌': 'dr', '┐': 'dl', '└': 'ur', '┘': 'ul' },
  ...{ '├': 'udr', '┤': 'udl', '┬': 'dlr', '┴': 'ulr', '┼': 'udlr' },
  ...{ '╭': 'dr', '╮': 'dl', '╰': 'ur', '╯': 'ul' },
}
const bars = '▁▂▃▄▅▆▇█'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

const round = (value: number) => Math.round(value * 10) / 10

/** Returns the shape of one cell; a horizontal line may be wider. */
export function drawFrameCharacter(text: string, box: Box, color: string): string {
  const eighths = bars.indexOf(text) + 1
  if (eighths > 0) {
    const height = round((box.height * eighths) / bars.length)
    const place = `x="${box.x}" y="${round(box.y + box.height - height)}"`
    return `<rect ${place} width="${box.width}" height="${height}" fill="${color}"/>`
  }
  const reached = sides[text] ?? ''
  const [x, y] = [round(box.x + box.width / 2), round(box.y + box.height / 2)]
  const ends: Readonly<Record<string, string>> = {
    u: `V${box.y}`,
    d: `V${round(box.y + box.height)}`,
    l: `H${box.x}`,
    r: `H${round(box.x + box.width)}`,
  }
  const path = [...reached].map((side) => `M${x} ${y}${ends[side]}`).join('')
  const dashes = text === '╎' ? ' stroke-dasharray="3"' : ''
  return `<path d="${path}" stroke="${color}" stroke-width="${text === '┃' ? 2 : 1}"${dashes}/>`
}
