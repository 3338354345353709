// Check of slash commands: those of an unknown MCP server are refused, because the model would only
// guess their meaning.
import { splitContent } from '../../../agent/messages.ts'
import { suggestNames } from '../../../base/text/name-suggestion.ts'
import type { CommandReply } from '../../../session/client.ts'
import { parsePromptCommand } from '../../../tool-support/mention.ts'
import type { SessionRuntime } from '../startup/session-runtime.ts'

/**
 * Returns an error reply for a slash command that names an unknown MCP server; otherwise undefined. Does not
 * check whether the server has the prompt.
 */
export async function refuseUnknownPrompt(
  runtime: SessionRuntime,
  content: Parameters<typeof splitContent>[0],
): Promise<CommandReply | undefined> {
  const command = parsePromptCommand(splitContent(content).text)
  if (!command) return undefined
  const { servers } = await (await runtime.open()).foreign.open()
  const members = servers?.members ?? []
  if (members.some(({ server }) => server.name === command.server || server.slug === command.server))
    return undefined
  const name = `${command.server}:${command.prompt}`
  const promptNames = members.flatMap(({ server, listing }) =>
    (listing?.prompts ?? []).map((prompt) => `${server.name}:${prompt.name}`),
  )
  const nearest = suggestNames(name, promptNames)
  return {
    ok: false,
    code: 'not_found',
    message: `unknown command /${name}`,
    hint: `${nearest || '/help lists them.'} // sends a text that begins with a slash`,
  }
}
