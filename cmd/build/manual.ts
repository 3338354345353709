// The generated pages of the manual: one for each tool, toolset and command, and the lists of
// tools and toolsets.
import type { ToolsetDescription } from '../../internal/service/calls/toolset-list.ts'
import type { AdapterTargetDescription, ToolDescription } from '../../internal/tool/catalog.ts'
import { groupHelp } from '../anode/help.ts'
import { listParameters } from '../anode/tools/parameter-table.ts'
import { isGroup, loadVerb } from '../anode/verb.ts'
import { verbHelp } from '../anode/verb-help.ts'
import { verbs } from '../anode/verbs.ts'

const mark = '<!-- made from the program by `UPDATE=1 npx vitest run test/rules/manual.test.ts` -->'

export function toolPage(tool: ToolDescription): string {
  const example = JSON.stringify(tool.example)
  const command = `anode tools use ${tool.name} --json '${example.replaceAll("'", `'\\''`)}'`
  return [
    mark,
    `# ${tool.name}`,
    `Level: \`${tool.level}\``,
    ...(tool.optional ? [`Optional: a profile offers it where its tools name \`anode__${tool.name}\`.`] : []),
    tool.about,
    parameterTable(tool),
    ['```', `TOOL: {"name": "${tool.name}", "args": ${example}}`, command, '```'].join('\n'),
    '',
  ].join('\n\n')
}

export function toolIndex(tools: readonly ToolDescription[]): string {
  const rows = tools.map(({ name, level, optional, summary }) => {
    const what = toCell(optional ? `Optional. ${summary}` : summary)
    return `| [${name}](${name}.md) | ${level} | ${what} |`
  })
  return [mark, '# Tools', ['| tool | level | what it does |', '|---|---|---|', ...rows].join('\n'), ''].join(
    '\n\n',
  )
}

function parameterTable({ schema }: ToolDescription): string {
  const rows = listParameters(schema).map(
    (p) =>
      `| ${p.name} | ${p.type} | ${p.required ? 'yes' : ''} | ${toCode(p.default)} | ${toCell(p.about)} |`,
  )
  if (rows.length === 0) return 'It takes no parameters.'
  return ['| parameter | type | required | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** Returns a manual page on the tools of one toolset, with the native calls that each of them becomes. */
export function toolsetPage({ name, about, faces: adapters }: ToolsetDescription): string {
  const parts = adapters.flatMap((adapter) => [
    `## ${adapter.name}`,
    levelLine(adapter),
    adapter.about,
    parameterTable(adapter),
    ...(adapter.face?.targets ?? []).map(mappingTable),
  ])
  return [mark, `# Toolset ${name}`, `${about}.`, ...parts, ''].join('\n\n')
}

const levelLine = ({ name, level, optional }: ToolDescription) =>
  `Level: \`${level}\`${optional ? `. Optional: \`--extra-tool ${name}\`` : ''}`

function mappingTable({ tool, when, args, faults }: AdapterTargetDescription): string {
  const where = Object.entries(when ?? {}).map(
    ([parameter, value]) => `${parameter} ${toCode(String(value))}`,
  )
  const only = where.length > 0 ? `, with ${where.join(' and ')}` : ''
  const head = `Calls [${tool}](../tools/${tool}.md)${only}`
  const rows = Object.entries(args).map(([parameter, from]) => `| ${parameter} | ${toCell(from)} |`)
  const faultLines = faults ? [`Failures with custom messages: ${Object.keys(faults).join(', ')}.`] : []
  if (rows.length === 0) return [`${head}, with nothing.`, ...faultLines].join('\n\n')
  return [`${head}:`, [`| ${tool} | from |`, '|---|---|', ...rows].join('\n'), ...faultLines].join('\n\n')
}

/** Returns the manual page that lists the toolsets. */
export function toolsetIndex(sets: readonly ToolsetDescription[]): string {
  const rows = sets.map(({ name, about, faces: adapters }) => {
    const list = adapters.map((adapter) => adapter.name).join(', ')
    return `| [${name}](${name}.md) | ${toCell(about)} | ${list} |`
  })
  return [
    mark,
    '# Toolsets',
    'A toolset puts the tools under the names and parameters that another program gives them, for models ' +
      'and prompts that know those. The native tools do the work; levels, rules, stored answers, hooks ' +
      'and records hold native names. One toolset is in force in a session: `--toolset NAME`, else ' +
      '`toolset` in the profile, else `toolset` in the configuration, else the native tools. A resumed ' +
      'thread keeps its toolset.',
    ['| toolset | what it is | tools |', '|---|---|---|', ...rows].join('\n'),
    '`--tool NAME` offers exactly the tools named, `--extra-tool NAME` the usual ones and these; both take ' +
      '`TOOLSET/NAME` and native names. Neither passes a profile, its level or a rule.',
    [
      '```',
      'anode tools toolsets',
      'anode tools list --toolset hooman',
      'anode tools show hooman/edit_file',
      'anode tools use read_file --toolset hooman --arg path=README.md --arg limit=3',
      'anode execute "What is here?" --toolset ah',
      '```',
    ].join('\n'),
    '',
  ].join('\n\n')
}

/**
 * Returns the manual pages of commands and groups by the first word of the command, which is the file name
 * without the extension.
 */
export async function commandPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  for (const [name, load] of Object.entries(verbs)) {
    const command = await load()
    const parts = isGroup(command)
      ? [
          await groupHelp([name], command),
          ...(await Promise.all(
            Object.values(command.verbs).map(async (v) => verbHelp(await loadVerb(v), 100)),
          )),
        ]
      : [await verbHelp(command, 100)]
    const blocks = parts.map((text) => `\`\`\`\n${text.trimEnd()}\n\`\`\``)
    pages.set(name, [mark, `# anode ${name}`, ...blocks, ''].join('\n\n'))
  }
  return pages
}

const toCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const toCode = (text: string) => (text === '' ? '' : `\`${toCell(text)}\``)
