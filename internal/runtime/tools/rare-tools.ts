// Native tools that few conversations need: a model finds them with tool_search.
import type { ListedTool } from '../../tool/catalog.ts'

const rare: ReadonlySet<string> = new Set([
  ...['render', 'chart', 'find_thread', 'read_thread', 'handoff', 'look_at', 'list_skills'],
  ...['todo_read', 'task_list', 'init_experiment'],
])

/** The tools that a model with a small window gets at once. */
const core: ReadonlySet<string> = new Set(
  'bash read edit_file create_file grep glob todo_write result ask_user plan_enter plan_exit'.split(' '),
)

const smallWindow = 16_000

/** So few tools are told all at once. */
const maxAtOnce = 9

/** Names of the native tools among `tools` that wait for a search. */
export function listRareTools(tools: readonly ListedTool[], window: number): ReadonlySet<string> {
  const shown = tools.filter(({ hidden, origin }) => hidden === undefined && origin === 'native')
  if (shown.length <= maxAtOnce) return new Set()
  const waits = window < smallWindow ? (name: string) => !core.has(name) : (name: string) => rare.has(name)
  return new Set(shown.map(({ name }) => name).filter((name) => waits(name) && name !== 'tool_search'))
}
