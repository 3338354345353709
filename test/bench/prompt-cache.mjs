// What a provider would have kept of the prompts that were sent to it, by the rules that the providers publish.

/**
 * Counts one conversation: for each request what of it is read from the cache and how long it is, in
 * characters, and whether it differs from the request before in anything but messages that it adds.
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

/** Tools, system text and messages, each as JSON without the marks of a cache. */
function partsOf({ tools = [], system = [], messages, input }) {
  const text = (value) => JSON.stringify(value, (key, one) => (key === 'cache_control' ? undefined : one))
  return [...tools, ...system, ...(messages ?? input)].map(text)
}

/** OpenAI and others: the longest beginning of the last prompt, in steps of 128 tokens of four characters. */
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

/** Anthropic: what ends at a mark is kept; at each mark a kept beginning is looked for up to 20 blocks back. */
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
    // the field of the whole request marks its last block
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
