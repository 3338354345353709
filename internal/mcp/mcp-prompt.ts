// Prompts of servers as slash commands: `/server:prompt`, then arguments in order or as name=value.
import { FailureError } from '../base/errors.ts'
import { suggestNames } from '../base/text/name-suggestion.ts'
import type { ResultMedia } from '../tool/result.ts'
import type { PromptCommand } from '../tool-support/mention.ts'
import { describeBlock } from './call-result.ts'
import type { PromptItem } from './server-listing.ts'
import type { McpMember } from './server-member.ts'

/**
 * Requests the prompt from its server and returns its text and media. Rejects with FailureError if the prompt
 * does not exist, an argument is missing, or the request fails.
 */
export async function expandPrompt(
  member: McpMember,
  { prompt, rest }: PromptCommand,
  signal: AbortSignal,
): Promise<{ text: string; media: ResultMedia[] }> {
  const item = member.listing?.prompts.find(({ name }) => name === prompt)
  if (!item) {
    const promptNames = member.listing?.prompts.map(({ name }) => name) ?? []
    const hint =
      suggestNames(prompt, promptNames) ||
      (promptNames.length > 0 ? `it has ${promptNames.join(', ')}` : 'it has none')
    const message = `the MCP server ${member.server.name} has no prompt ${prompt}`
    throw new FailureError({ code: 'not_found', message, hint })
  }
  const args = argumentsOf(item, rest)
  return member.use(`give the prompt ${prompt}`, signal, async (client) => {
    const timeout = member.server.callMs
    const { messages } = await client.getPrompt({ name: prompt, arguments: args }, { signal, timeout })
    const parts = await Promise.all(
      messages.map(async ({ role, content }) => {
        const { text, media } = await describeBlock(content, member.server.name, signal)
        return { text: role === 'assistant' ? `(as an example of an answer)\n${text}` : text, media }
      }),
    )
    return {
      text: parts.map(({ text }) => text).join('\n\n'),
      media: parts.flatMap(({ media }) => media),
    }
  })
}

/**
 * Returns the arguments by name. Words are split like in a shell, with quotes. Words that do not begin with
 * the name of an argument and `=` fill the remaining arguments in order, and the last of these gets all words
 * that are left; without remaining arguments they are ignored. Throws FailureError `bad_args` if a required
 * argument is missing.
 */
function argumentsOf({ name, arguments: declared = [] }: PromptItem, rest: string): Record<string, string> {
  const values: Record<string, string> = {}
  const open = declared.map((one) => one.name)
  const loose: string[] = []
  for (const word of splitWords(rest)) {
    const key = /^([\w.-]+)=/.exec(word)?.[1]
    if (key !== undefined && open.includes(key)) values[key] = word.slice(key.length + 1)
    else loose.push(word)
  }
  const remainingNames = open.filter((one) => !Object.hasOwn(values, one))
  for (const [i, one] of remainingNames.entries()) {
    const value = i === remainingNames.length - 1 ? loose.splice(0).join(' ') : loose.shift()
    if (value) values[one] = value
  }
  const missing = declared.filter((one) => one.required === true && !Object.hasOwn(values, one.name))
  if (missing.length > 0) {
    const names = missing
      .map((one) => `${one.name}${one.description ? ` (${one.description})` : ''}`)
      .join(', ')
    throw new FailureError({ code: 'bad_args', message: `the prompt ${name} needs ${names}` })
  }
  return values
}

function splitWords(text: string): string[] {
  const matches = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []
  return matches.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
}
