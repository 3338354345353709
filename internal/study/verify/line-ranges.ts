// Lines within a text file, as locators of evidence name them.

/**
 * Returns the lines of a locator such as `12`, `12-40` or `3-5,9`, from 1, ends included; undefined for
 * places of other kinds.
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
