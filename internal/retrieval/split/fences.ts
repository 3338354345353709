// How much of a stretch of prose stands in fences: usage and samples rather than sentences.

const fence = /^\s{0,3}(?:`{3,}|~{3,})/

/** The share, from 0 to 1, of the lines from one to another, both counted from 1, that stand in fences. */
export function shareOfFences(lines: readonly string[]): (from: number, to: number) => number {
  let isOpen = false
  const inside = lines.map((line) => {
    const isFence = fence.test(line)
    if (isFence) isOpen = !isOpen
    return isOpen || isFence
  })
  return (from, to) => inside.slice(from - 1, to).filter(Boolean).length / (to - from + 1)
}
