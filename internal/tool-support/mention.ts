// Mentions of what MCP servers offer: resources as `@server:uri`, prompts as `/server:prompt`.
import type { ResourceMention } from '../tool/ctx.ts'

/**
 * Returns every mention in a text, in order, each once, without punctuation and closing brackets at its end.
 */
export function findMentions(text: string): ResourceMention[] {
  const mentions = new Map<string, ResourceMention>()
  for (const match of text.matchAll(/(?<![^\s('"[{<])@([\w.-]+):([a-z][a-z0-9+.-]*:[^\s"'`<>]+)/gi)) {
    const one = { server: match[1] as string, uri: (match[2] as string).replace(/[.,;:!?)\]}]+$/, '') }
    mentions.set(formatMention(one), one)
  }
  return [...mentions.values()]
}

/** Returns the mention if the whole text is a mention; otherwise undefined. */
export function parseMention(text: string): ResourceMention | undefined {
  if (!text.startsWith('@')) return undefined
  const [one] = findMentions(text)
  return one && formatMention(one) === text ? one : undefined
}

export const formatMention = ({ server, uri }: ResourceMention): string => `@${server}:${uri}`

export interface PromptCommand {
  server: string
  prompt: string
  rest: string
}

/** Returns the prompt command at the beginning of a text; undefined without one. */
export function parsePromptCommand(text: string): PromptCommand | undefined {
  const match = /^\/([\w.-]+):([^\s/]+)(?:\s+([\s\S]*))?$/.exec(text.trim())
  return match ? { server: match[1] as string, prompt: match[2] as string, rest: match[3] ?? '' } : undefined
}
