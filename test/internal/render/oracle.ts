// Cells of a drawn line as the recorded table has them, without the program's own measuring.
import fixture from '../../fixtures/width.json' with { type: 'json' }

const recorded = new Map(fixture.texts as [string, number][])
/** Everything we draw with takes one cell; written down here, not read from glyph.ts. */
const drawn = '─│┌┐└┘├┤┬┴┼═║╔╗╚╝╠╣╦╩╬╭╮╰╯━┃┏┓┗┛┣┫┳┻╋╓╖╙╜╟╢╥╨╫╒╕╘╛╞╡╤╧╪…—–•█▏▎▍▌▋▊▉░▁▂▃▄▅▆▇ℹ✔⚠✖▲▼●◆○'
const ours = new Set(drawn)
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Our own colour codes: nothing else may begin with an escape. */
export const paint = /\x1b\[(?:\d+(?:;\d+)*)m/g

const known = new Map<string, number>()

export function oracle(line: string): number {
  const bare = line.replace(paint, '')
  const cells = known.get(bare) ?? count(bare)
  known.set(bare, cells)
  return cells
}

function count(bare: string): number {
  let sum = 0
  for (const { segment } of segmenter.segment(bare)) {
    const cells = /^[\x20-\x7e]$/.test(segment) || ours.has(segment) ? 1 : recorded.get(segment)
    if (cells === undefined) throw new Error(`${JSON.stringify(segment)} is in no table`)
    sum += cells
  }
  return sum
}

/** Words whose clusters are all in the table: wide, emoji, marks, plain. */
export const words = [
  'plain',
  'a',
  'two words',
  'x-y',
  '',
  '漢字',
  '한글',
  'e\u0301',
  'x\u0301\u0302\u0303y',
  '👍',
  '👍🏽',
  '👨\u200d👩\u200d👧',
  '❤\ufe0f',
  '🇩🇪',
  '🧿',
  '✔',
  '1\ufe0f\u20e3',
  '1234567',
  'a longer piece of text that has to wrap',
  'Unbreakablewordthatislongerthanmanylines',
]
