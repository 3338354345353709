// Hides tools that cannot do anything in this session.
import type { ListedTool } from '../../tool/catalog.ts'

/** Tools that are of no use without another one. */
const partners: Readonly<Record<string, string>> = { todo_read: 'todo_write', list_skills: 'skill' }

/** The same array as long as `tools` returns the same one. */
export function hideUselessTools(
  tools: () => readonly ListedTool[],
  isUserPresent: boolean,
): () => readonly ListedTool[] {
  let last: readonly ListedTool[] | undefined
  let made: readonly ListedTool[] = []
  return () => {
    const now = tools()
    if (now !== last) made = hideAmong(now, isUserPresent)
    last = now
    return made
  }
}

function hideAmong(tools: readonly ListedTool[], isUserPresent: boolean): readonly ListedTool[] {
  const shown = new Set(tools.flatMap(({ name, hidden }) => (hidden === undefined ? [name] : [])))
  const why = ({ name }: ListedTool): string | undefined => {
    if (name === 'ask_user' && !isUserPresent) return 'no user is present to answer'
    const partner = Object.hasOwn(partners, name) ? partners[name] : undefined
    return partner === undefined || shown.has(partner) ? undefined : `it is of no use without ${partner}`
  }
  if (!tools.some((tool) => shown.has(tool.name) && why(tool) !== undefined)) return tools
  return tools.map((tool) => {
    const hidden = shown.has(tool.name) ? why(tool) : undefined
    return hidden === undefined ? tool : { ...tool, hidden }
  })
}
