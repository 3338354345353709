// Printed text with color codes becomes cells with the style that a terminal would show.
import { Terminal } from '@xterm/headless'
import { describe, expect, it } from 'vitest'
import type { ScreenCell } from '../../../../internal/render/svg/screen-cell.ts'
import { readStyledRows } from '../../../../internal/render/svg/styled-line.ts'
import { readScreenCells } from '../../../support/pictures/screen-cells.ts'
import { choice, type Rng, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'

/** Shows the text in an emulator, and returns its cells. */
async function emulate(text: string): Promise<ScreenCell[][]> {
  const terminal = new Terminal({ cols: 200, rows: 30, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(text.replaceAll('\n', '\r\n'), resolve))
  return readScreenCells(terminal, [])
}

/** Spaces in no style: an emulator fills its rows with them. */
const isEmpty = ({ text, style }: ScreenCell) =>
  text === ' ' && style.background === undefined && !style.isUnderlined && !style.isStruck

const trimRows = (rows: readonly ScreenCell[][]) =>
  rows.map((row) => row.slice(0, row.findLastIndex((cell) => !isEmpty(cell)) + 1))

function randomCode(random: Rng): string {
  const byte = () => Math.floor(random() * 256)
  const color = choice(random, [38, 48])
  return choice(random, [
    ...['', '0', '1', '2', '3', '4', '7', '9', '22', '23', '24', '27', '29', '39', '49'],
    ...[30, 40, 90, 100].map((first) => `${first + Math.floor(random() * 8)}`),
    `${color};5;${byte()}`,
    `${color};2;${byte()};${byte()};${byte()}`,
    `1;${color};5;${byte()};4`,
  ])
}

const words = ['ok', 'a  b', '漢字', '│ x │', 'é', '<&>"', ' ', '\n']

describe('readStyledRows', () => {
  it('agrees with a terminal on any text and codes', async () => {
    for (let seed = 1; seed <= rounds(60, 2000); seed++) {
      const random = rng(seed)
      const parts = Array.from({ length: 20 }, () => `\x1b[${randomCode(random)}m${choice(random, words)}`)
      const text = `start${parts.join('')}end`
      const shown = trimRows(await emulate(text))
      expect(trimRows(readStyledRows(text)), JSON.stringify(text)).toEqual(shown)
    }
  })

  it('drops what moves the cursor, sets titles or hides text', () => {
    const text = 'a\x1b[2Jb\x1b]0;title\x07c\x1b[8md\x1b[10;10He\x1b[38;9mf\x1b[38;5mg'
    expect(readStyledRows(text).map((row) => row.map((cell) => cell.text).join(''))).toEqual(['abcdefg'])
    expect(readStyledRows(text)[0]?.every(({ style }) => style.color === undefined)).toBe(true)
  })

  it('joins marks to their letter and counts wide characters twice', () => {
    const [row = []] = readStyledRows('e\u0301\u0316x漢👩‍👩‍👧')
    expect(row.map(({ width }) => width)).toEqual([1, 1, 2, 2])
  })
})
