// Code of a quote, with the indentation of its first line restored.

import type { CodePiece } from '../markdown-blocks.ts'

/**
 * Returns code without the indentation that all lines have. The first line of a quote has no indentation,
 * because a quote is trimmed at its start.
 */
export function codeBlock(
  lines: readonly string[],
  { isBeginning = false, language }: { isBeginning?: boolean; language?: string | undefined } = {},
): CodePiece {
  const named = language === undefined ? {} : { language }
  const codeLines = lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    .split('\n')
  const widthOf = (measuredLines: readonly string[]) =>
    Math.min(...measuredLines.flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)])))
  const [first = '', ...rest] = codeLines
  if (!isBeginning || /^\s/.test(first) || rest.every((line) => line.trim() === ''))
    return {
      kind: 'code',
      text: codeLines.map((line) => line.slice(widthOf(codeLines))).join('\n'),
      ...named,
    }
  const width = widthOf(rest)
  const inner = Math.max(0, width - (isOpener(first, rest, width) ? stepOf(rest) : 0))
  return { kind: 'code', text: [first, ...rest.map((line) => line.slice(inner))].join('\n'), ...named }
}

/**
 * Returns true if the first line of code opens a block and all following lines are inside it. The indentation
 * of the first line was then smaller than that of the other lines by one step.
 */
const isOpener = (first: string, rest: readonly string[], width: number): boolean =>
  /[({[:]$/.test(first) && !rest.some((line) => line.search(/\S/) === width && /^\s*[)}\]]/.test(line))

/**
 * Returns the number of characters of one step of indentation: the smallest difference between two lines.
 * Without one it is 1 for tabs, 4 for a multiple of 4 spaces, else 2.
 */
function stepOf(lines: readonly string[]): number {
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.some((line) => line.startsWith('\t'))) return 1
  const widths = [...new Set(filled.map((line) => line.search(/\S/)))].sort((a, b) => a - b)
  const steps = widths
    .slice(1)
    .flatMap((width, i) => (width - (widths[i] ?? 0) > 1 ? [width - (widths[i] ?? 0)] : []))
  if (steps.length > 0) return Math.min(...steps)
  return (widths[0] ?? 0) % 4 === 0 ? 4 : 2
}
