// The tools that describe themselves when a session starts: those of toolboxes, plugins and the user's files.
import type { PluginSet } from '../../plugin/plugins.ts'
import type { ToolEntry } from '../../tool/catalog.ts'
import { toToolEntries } from '../../tool/describe.ts'
import { loadCustomEntries } from './custom-tools.ts'
import { loadToolboxes } from './toolbox.ts'

function toPluginEntries({ tools }: PluginSet): ToolEntry[] {
  return tools.flatMap(({ tool, origin }) => toToolEntries([tool], origin))
}

export const describedTools = { loadCustomEntries, loadToolboxes, toPluginEntries }
