// Description of tools as JSON for `--json` and the server: a row of the list, and the full form. Their keys
// do not change.
import type { ListedTool } from '../../tool/catalog.ts'

/**
 * Returns the name by which a command line finds the tool, whichever toolset is chosen. For an adapter, this
 * is the name after its toolset, such as `hooman/think`. For any other tool, it is the native name, which for
 * a custom tool includes the prefix of its kind.
 */
export function qualifiedToolName({
  name,
  face: adapter,
  natives,
}: Pick<ListedTool, 'name' | 'face' | 'natives'>) {
  return adapter ? `${adapter.toolset}/${name}` : (natives?.[0] ?? name)
}

export function describeRow({ name, level, origin, summary, optional, hidden }: ListedTool) {
  return { name, level, origin, summary, optional, hidden }
}

export function describeContract(entry: ListedTool) {
  const { name, level, origin, summary, about, schema, example, optional, hidden, face: adapter } = entry
  // the call as text, for models without native tool calls
  const call = `TOOL: ${JSON.stringify({ name, args: example })}`
  return {
    name,
    level,
    origin,
    optional,
    summary,
    about,
    inputSchema: schema,
    example,
    call,
    face: adapter,
    hidden,
  }
}
