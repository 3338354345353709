// The part of a system prompt about tools whose names differ from those in its profile.
import type { ToolDescription } from '../tool/catalog.ts'

type OfferedTool = Pick<ToolDescription, 'name' | 'natives'>

/**
 * Returns one line with the other name, or the absence, of each native tool that the prompt mentions;
 * undefined if all of them keep their names.
 */
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

/**
 * Lists all tools by name with their summaries, then the advice on use (`guidance`) of each tool
 * that has some.
 */
export function listToolsInPrompt(tools: readonly SummedTool[]): string {
  const guidance = tools.flatMap(({ name, guidance }) => (guidance ? [`## ${name}\n${guidance}`] : []))
  const list = [
    `Tools: ${tools.map(({ name }) => name).join(', ')}`,
    ...tools.map(({ name, summary }) => `${name}: ${summary}`),
  ]
  return [list.join('\n'), ...guidance].join('\n\n')
}
