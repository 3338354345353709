// Parser of the page's URL: it returns the view to show, and the id of the run, study, build or experiment
// session that the view is for.
export type PageRoute =
  | { kind: 'runs' | 'usage' | 'permissions' | 'none' }
  | { kind: 'run'; thread: string }
  | { kind: 'study' | 'research' | 'build'; id: string }

export function parseRoute(path: string): PageRoute {
  const [, first = '', name = '', rest] = path.split('/')
  if (rest !== undefined) return { kind: 'none' }
  if (first === '') return { kind: 'runs' }
  if (first === 'runs' && /^\w+$/.test(name)) return { kind: 'run', thread: name }
  if (first === 'studies' && /^\w+$/.test(name)) return { kind: 'study', id: name }
  if (first === 'builds' && /^\w+$/.test(name)) return { kind: 'build', id: name }
  if (first === 'research' && /^[\w.-]+$/.test(name)) return { kind: 'research', id: name }
  return { kind: name === '' && (first === 'usage' || first === 'permissions') ? first : 'none' }
}
