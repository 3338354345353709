// Parser of locators that mean lines within a text file.

/**
 * Returns the lines of a locator such as `12`, `12-40` or `3-5,9`. They count from 1 and include both ends.
 * Undefined for locators that do not mean lines.
 */
export function parseLineRanges(locator: string): { from: number; to: number }[] | undefined {
  const out: { from: number; to: number }[] = []
  for (const part of locator.split(',')) {
    const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(part)
    if (!match) return undefined
    const from = Number(match[1])
    out.push({ from, to: match[2] === undefined ? from : Number(match[2]) })
  }
  return out
}
