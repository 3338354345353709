// Search for a JSON object in the output of a program, which may print other text around it.

export type JsonFields = Readonly<Record<string, unknown>>

/** Maximum number of opening braces at which an object is searched. Objects after them are not found. */
const maxStarts = 200

/**
 * Returns the first object in `output` that itself has `key`; objects inside an object that was parsed are
 * not searched. Undefined if no object at the first 200 possible positions has it.
 */
export function findJsonObject(output: string, key: string): JsonFields | undefined {
  const starts = output.matchAll(/\{\s*"/g)
  let tried = 0
  let after = 0
  for (const { index } of starts) {
    if (index < after) continue
    if (++tried > maxStarts) break
    const end = endOfObject(output, index)
    if (end === undefined) continue
    const value = parseObject(output.slice(index, end))
    if (value?.[key] !== undefined) return value
    // The search continues after an object that was parsed completely.
    if (value) after = end
  }
  return undefined
}

export function listOf(value: JsonFields | undefined, key: string): JsonFields[] {
  const list = value?.[key]
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}

/**
 * Returns the position after the brace that closes the brace at `start`, or undefined if the text ends first.
 */
function endOfObject(output: string, start: number): number | undefined {
  const signs = /"(?:[^"\\]|\\.)*"|[{}]/g
  signs.lastIndex = start
  let depth = 0
  for (let match = signs.exec(output); match; match = signs.exec(output)) {
    if (match[0] === '{') depth++
    if (match[0] === '}' && --depth === 0) return signs.lastIndex
  }
  return undefined
}

function parseObject(text: string): JsonFields | undefined {
  // Python and C++ write NaN and infinite numbers, which JSON does not allow, so they are read as null.
  const plain = () => text.replace(/([:[,]\s*)-?(?:NaN|nan|Infinity|inf)(?=\s*[,}\]])/g, '$1null')
  for (const make of [() => text, plain]) {
    try {
      return JSON.parse(make()) as JsonFields
    } catch {
      // the text in braces is not JSON
    }
  }
  return undefined
}
