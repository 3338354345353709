// The part of the prompts that a provider would read from its cache, by the published rules of providers.

/**
 * Counts one conversation. For each request it records the cached and all characters, and whether the request
 * differs from the previous one in more than added messages.
 */
export function createPromptCache(format) {
  const count = format === 'messages' ? markedCache() : prefixCache()
  let before
  return (request) => {
    const parts = partsOf(request.body)
    const isChanged = before?.some((part, i) => part !== parts[i]) === true
    before = parts
    return { ...count(request), isChanged }
  }
}

/** Returns tools, system text and messages as JSON without cache marks. */
function partsOf({ tools = [], system = [], messages, input }) {
  const text = (value) => JSON.stringify(value, (key, one) => (key === 'cache_control' ? undefined : one))
  return [...tools, ...system, ...(messages ?? input)].map(text)
}

/** Returns the cached part at OpenAI and others: the longest common beginning, in steps of 128 tokens. */
function prefixCache() {
  const step = 512
  let before = ''
  return ({ raw }) => {
    let same = 0
    while (same < raw.length && raw[same] === before[same]) same++
    before = raw
    return { read: same - (same % step), all: raw.length }
  }
}

/**
 * Returns the cached part at Anthropic, which stores beginnings that end at a mark and looks 20 blocks back.
 */
function markedCache() {
  const kept = new Set()
  return ({ body }) => {
    const blocks = [
      ...(body.tools ?? []),
      ...(body.system ?? []),
      ...body.messages.flatMap(({ role, content }) => content.map((block) => ({ role, ...block }))),
    ]
    const ends = []
    const marks = []
    for (const [i, { cache_control, ...block }] of blocks.entries()) {
      ends.push(`${ends.at(-1) ?? ''}${JSON.stringify(block)}\n`)
      if (cache_control) marks.push(i)
    }
    // the field of the request marks its last block
    if (body.cache_control) marks.push(blocks.length - 1)
    if (marks.length > 4) throw new Error(`${marks.length} marks`)
    let read = 0
    for (const mark of marks)
      for (let i = mark; i >= Math.max(0, mark - 20); i--)
        if (kept.has(ends[i])) read = Math.max(read, ends[i].length)
    for (const mark of marks) kept.add(ends[mark])
    return { read, all: ends.at(-1).length }
  }
}
