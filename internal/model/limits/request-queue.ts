// A limit of parallel requests of this process to one endpoint; further requests wait in order of arrival.

interface EndpointLine {
  running: number
  readonly waiting: (() => void)[]
}

const lines = new Map<string, EndpointLine>()

/**
 * Resolves once fewer than `max` requests of this process to `address` are running. The result is a function
 * to call when this request is over. Rejects with the reason of `signal`, and leaves the queue.
 */
export async function enterRequestQueue(
  address: string,
  max: number,
  signal: AbortSignal,
): Promise<() => void> {
  signal.throwIfAborted()
  const line = lines.get(address) ?? { running: 0, waiting: [] }
  lines.set(address, line)
  if (line.running < max && line.waiting.length === 0) line.running++
  else await waitForTurn(line, signal)
  let isOver = false
  return () => {
    if (isOver) return
    isOver = true
    const next = line.waiting.shift()
    // A leaving request passes its slot directly to the next waiting one, so that no later request can take
    // the slot first.
    if (next) next()
    else if (--line.running === 0) lines.delete(address)
  }
}

function waitForTurn(line: EndpointLine, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      line.waiting.splice(line.waiting.indexOf(enter), 1)
      reject(signal.reason)
    }
    line.waiting.push(enter)
    signal.addEventListener('abort', leave, { once: true })
  })
}
