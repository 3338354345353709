// The generated pages of the manual: one per tool, one per command, from the registry and the command table.
import type { ToolDescription } from '../../internal/tool/catalog.ts'
import { groupHelp } from '../anode/help.ts'
import { listParameters } from '../anode/tools/parameter-table.ts'
import { isGroup } from '../anode/verb.ts'
import { verbHelp } from '../anode/verb-help.ts'
import { verbs } from '../anode/verbs.ts'

const mark = '<!-- made from the program by `UPDATE=1 npx vitest run test/rules/manual.test.ts` -->'

export function toolPage(tool: ToolDescription): string {
  const rows = listParameters(tool.schema).map(
    (p) => `| ${p.name} | ${p.type} | ${p.required ? 'yes' : ''} | ${code(p.default)} | ${cell(p.about)} |`,
  )
  const table = [
    '| parameter | type | required | default | meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  const example = JSON.stringify(tool.example)
  const command = `anode tools use ${tool.name} --json '${example.replaceAll("'", `'\\''`)}'`
  return [
    mark,
    `# ${tool.name}`,
    `Level: \`${tool.level}\``,
    tool.about,
    rows.length > 0 ? table : 'It takes no parameters.',
    ['```', `TOOL: {"name": "${tool.name}", "args": ${example}}`, command, '```'].join('\n'),
    '',
  ].join('\n\n')
}

export function toolIndex(tools: readonly ToolDescription[]): string {
  const rows = tools.map(
    (tool) => `| [${tool.name}](${tool.name}.md) | ${tool.level} | ${cell(tool.summary)} |`,
  )
  return [mark, '# Tools', ['| tool | level | what it does |', '|---|---|---|', ...rows].join('\n'), ''].join(
    '\n\n',
  )
}

/** Command pages by file name, without the ending. */
export async function commandPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const [name, load] of Object.entries(verbs)) {
    const command = await load()
    const parts = isGroup(command)
      ? [
          await groupHelp([name], command),
          ...(await Promise.all(Object.values(command.verbs).map(async (v) => verbHelp(await v(), 100)))),
        ]
      : [await verbHelp(command, 100)]
    const blocks = parts.map((text) => `\`\`\`\n${text.trimEnd()}\n\`\`\``)
    pages.set(name, [mark, `# anode ${name}`, ...blocks, ''].join('\n\n'))
  }
  return pages
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const code = (text: string) => (text === '' ? '' : `\`${cell(text)}\``)
