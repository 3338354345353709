// What an address of the page shows.
export type PageRoute = { kind: 'runs' } | { kind: 'run'; thread: string } | { kind: 'none' }

export function parseRoute(path: string): PageRoute {
  const [, first = '', name = '', rest] = path.split('/')
  if (rest !== undefined) return { kind: 'none' }
  if (first === '') return { kind: 'runs' }
  if (first === 'runs' && /^\w+$/.test(name)) return { kind: 'run', thread: name }
  return { kind: 'none' }
}
