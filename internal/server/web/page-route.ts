// What an address of the page shows.
export type PageRoute =
  | { kind: 'runs' }
  | { kind: 'run'; thread: string }
  | { kind: 'study'; id: string }
  | { kind: 'none' }

export function parseRoute(path: string): PageRoute {
  const [, first = '', name = '', rest] = path.split('/')
  if (rest !== undefined) return { kind: 'none' }
  if (first === '') return { kind: 'runs' }
  if (first === 'runs' && /^\w+$/.test(name)) return { kind: 'run', thread: name }
  if (first === 'studies' && /^\w+$/.test(name)) return { kind: 'study', id: name }
  return { kind: 'none' }
}
