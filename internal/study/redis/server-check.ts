// Check by a server's INFO that studies are stored safely: its version is supported, and its data is written
// to disk and never removed for lack of memory.

/**
 * Returns one line about an unsupported version or unsafe settings of the server, or undefined if it is safe.
 * `text` is the response to INFO.
 */
export function findUnsafeSettings(text: string): string | undefined {
  const facts = new Map(
    text.split('\r\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : []
    }),
  )
  const version = facts.get('redis_version') ?? 'unknown'
  if (!atLeast(version, [6, 2])) return `the server's version is ${version}; 6.2 or newer is needed`
  const wrong: string[] = []
  const set: string[] = []
  if (facts.get('aof_enabled') !== '1') {
    wrong.push('appendonly is off')
    set.push('"appendonly yes"')
  }
  const policy = facts.get('maxmemory_policy') ?? 'unknown'
  if (policy !== 'noeviction') {
    wrong.push(`maxmemory-policy is ${policy}`)
    set.push('"maxmemory-policy noeviction"')
  }
  return wrong.length > 0 ? `${wrong.join(' and ')}; set ${set.join(' and ')}` : undefined
}

function atLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [have = 0, less = 0] = version.split('.').map(Number)
  return have > major || (have === major && less >= minor)
}
