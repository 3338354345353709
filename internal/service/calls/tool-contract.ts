// Tools as JSON, for `--json` and the server: a row of a list, and the whole contract of one. The keys stay.
import type { ListedTool } from '../../tool/catalog.ts'

/** The name that a command line takes, whichever toolset it runs with: `hooman/think`. */
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
  // what a model writes that has no calls of its own
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
