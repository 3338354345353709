// What a system prompt says of tools that have other names than its profile knows them by.
import type { ToolDescription } from '../tool/catalog.ts'

type OfferedTool = Pick<ToolDescription, 'name' | 'natives'>

/** One line on native tools that the prompt speaks of; undefined where all of them have their names. */
export function describeToolNames(
  prompt: string,
  nativeNames: readonly string[],
  offered: readonly OfferedTool[],
): string | undefined {
  const renamed: string[] = []
  const absent: string[] = []
  for (const name of nativeNames) {
    if (!new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(prompt)) continue
    const serving = offered.filter((tool) => (tool.natives ?? [tool.name]).includes(name))
    if (serving.some((tool) => tool.name === name)) continue
    const [first] = serving
    if (first) renamed.push(`${name} is ${first.name}`)
    else absent.push(name)
  }
  const parts = [
    ...(renamed.length > 0 ? [`Tools have other names here: ${renamed.join(', ')}`] : []),
    ...(absent.length > 0 ? [`not here: ${absent.join(', ')}`] : []),
  ]
  if (parts.length === 0) return undefined
  const [start = '', ...rest] = parts.join('; ')
  return `${start.toUpperCase()}${rest.join('')}.`
}

type SummedTool = Pick<ToolDescription, 'name' | 'summary' | 'guidance'>

/** All tools by name with their summaries, then the guidance of those that bring one. */
export function listToolsInPrompt(tools: readonly SummedTool[]): string {
  const guidance = tools.flatMap(({ name, guidance }) => (guidance ? [`## ${name}\n${guidance}`] : []))
  const list = [
    `Tools: ${tools.map(({ name }) => name).join(', ')}`,
    ...tools.map(({ name, summary }) => `${name}: ${summary}`),
  ]
  return [list.join('\n'), ...guidance].join('\n\n')
}
