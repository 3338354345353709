// Rows of a screen as an SVG image of a terminal window. The same rows give the same bytes.
import { escapeHtml } from '../../base/text/html-escape.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { drawFrameCharacter, frameCharacters, roundToTenth, stretching } from './frame-characters.ts'
import { type CellStyle, type ScreenCell, theme } from './screen-cell.ts'

const font = 14
const column = 8.4
const line = 18
const margin = 16
const titleHeight = 36

const fontFamily = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
const buttons = ['#ff5f57', '#febc2e', '#28c840']

interface TextPiece {
  at: number
  width: number
  text: string
  style: CellStyle
}

/**
 * Returns the image as SVG text. `title` is the text of a title bar, for example the command that was run.
 * Default: the image has no title bar. `columns` is the width of the screen in cells.
 */
export function drawScreen(
  rows: readonly (readonly ScreenCell[])[],
  title: string | undefined,
  columns: number,
): string {
  const width = roundToTenth(columns * column + 2 * margin)
  const top = title === undefined ? margin : titleHeight
  const height = top + rows.length * line + margin
  const head = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"`,
    ` height="${height}" role="img" aria-label="${escapeXml(title ?? readWords(rows))}"`,
    ` font-family="${escapeXml(fontFamily)}" font-size="${font}">`,
  ].join('')
  return [
    head,
    `<rect width="${width}" height="${height}" rx="10" fill="${theme.background}"/>`,
    ...(title === undefined ? [] : drawTitle(title, width)),
    ...rows.flatMap((row, i) => drawRow(row, top + i * line)),
    '</svg>\n',
  ].join('\n')
}

function drawTitle(title: string, width: number): string[] {
  const middle = roundToTenth(width / 2)
  return [
    ...buttons.map((fill, i) => `<circle cx="${20 + i * 20}" cy="18" r="6" fill="${fill}"/>`),
    `<text x="${middle}" y="23" fill="#8b949e" text-anchor="middle">${escapeXml(title)}</text>`,
  ]
}

/**
 * Returns the first `maxSpoken` characters of the text on the rows, without frame characters and repeated
 * spaces. For an image without a title, screen readers read them aloud.
 */
function readWords(rows: readonly (readonly ScreenCell[])[]): string {
  const texts = rows.map((row) =>
    row.map((cell) => (frameCharacters.test(cell.text) ? ' ' : cell.text)).join(''),
  )
  return [...texts.join(' ').replace(/\s+/g, ' ').trim()].slice(0, maxSpoken).join('')
}

const maxSpoken = 200

function drawRow(row: readonly ScreenCell[], top: number): string[] {
  const pieces = splitRow(row)
  return [
    ...pieces.flatMap((piece) => drawBackground(piece, top)),
    ...pieces.flatMap((p) => drawText(p, top)),
  ]
}

/**
 * Splits a row into pieces of one style and one character width, each with frame characters only or without
 * any. Two or more spaces without a background end a piece too, so that texts stay aligned in any font.
 */
function splitRow(row: readonly ScreenCell[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  let before = ''
  for (const { text, width, style } of row) {
    const kind = `${JSON.stringify(style)}${frameCharacters.test(text)}${width}`
    const last = pieces.at(-1)
    if (last && before === kind) {
      last.text += text
      last.width += width
    } else pieces.push({ at, width, text, style })
    before = kind
    at += width
  }
  return pieces.flatMap(splitAtGaps)
}

/** Returns start and length of each stretch of characters that is drawn as one shape. */
function joinShapes(text: string): [first: number, count: number][] {
  return [...text.matchAll(stretching)].map((match) => [match.index, match[0].length])
}

function splitAtGaps(piece: TextPiece): TextPiece[] {
  if (piece.style.background !== undefined || piece.text.length !== piece.width) return [piece]
  return [...piece.text.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: text }) => {
    return { at: piece.at + index, width: text.length, text, style: piece.style }
  })
}

function drawBackground({ at, width, style }: TextPiece, top: number): string[] {
  if (style.background === undefined) return []
  const box = `x="${xOfColumn(at)}" y="${top}" width="${roundToTenth(width * column)}" height="${line}"`
  return [`<rect ${box} fill="${style.background}"/>`]
}

function drawFrame({ at, text, style }: TextPiece, top: number): string[] {
  const color = style.color ?? theme.color
  const shapes = joinShapes(text).map(([first, count]) => {
    const box = { x: xOfColumn(at + first), y: top, width: roundToTenth(count * column), height: line }
    return drawFrameCharacter(text[first] as string, box, color)
  })
  return style.isDim ? [`<g opacity="0.6">${shapes.join('')}</g>`] : shapes
}

function drawText({ at, width, text, style }: TextPiece, top: number): string[] {
  if (text.trim() === '') return []
  if (frameCharacters.test(text[0] as string)) return drawFrame({ at, width, text, style }, top)
  const looks = [
    `fill="${style.color ?? theme.color}"`,
    style.isDim ? 'opacity="0.6"' : '',
    style.isBold ? 'font-weight="bold"' : '',
    style.isItalic ? 'font-style="italic"' : '',
    toDecoration(style),
  ]
  const length = roundToTenth(width * column)
  const place = `x="${xOfColumn(at)}" y="${top + 13}" textLength="${length}" xml:space="preserve"`
  return [`<text ${place} ${looks.filter(Boolean).join(' ')}>${escapeXml(text)}</text>`]
}

function toDecoration({ isUnderlined, isStruck }: CellStyle): string {
  const lines = [isUnderlined ? 'underline' : '', isStruck ? 'line-through' : ''].filter(Boolean)
  return lines.length === 0 ? '' : `text-decoration="${lines.join(' ')}"`
}

/** Escapes text for XML. Unlike HTML, XML does not allow control characters, U+FFFE and U+FFFF. */
const escapeXml = (text: string) => escapeHtml(sanitizeText(text).replace(/[\ufffe\uffff]/g, '\ufffd'))

const xOfColumn = (at: number) => roundToTenth(margin + at * column)
