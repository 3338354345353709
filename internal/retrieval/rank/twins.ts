// Tells passages that say once more what was chosen already: copies and generated pages share whole lines.

/** Shorter lines, such as heads of tables, stand in passages that say different things. */
const minLineChars = 24

/** A passage with this share of its letters in lines that are known says nothing new. */
const twinShare = 0.7

/** The check is told of each passage in turn, and remembers its lines where they are new. */
export function createTwinCheck(): (text: string) => boolean {
  const known = new Set<string>()
  return (text) => {
    const lines = text
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter(({ length }) => length >= minLineChars)
    const all = lines.reduce((sum, { length }) => sum + length, 0)
    const held = lines.reduce((sum, line) => sum + (known.has(line) ? line.length : 0), 0)
    if (all > 0 && held / all >= twinShare) return true
    for (const line of lines) known.add(line)
    return false
  }
}
