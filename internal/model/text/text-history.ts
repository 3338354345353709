// A conversation with tools as plain text, for models without native calls.
import { fenceText } from '../../base/text/quoting/code-fence.ts'
import type { ModelMessage, ModelToolCall, ToolSpec } from '../model.ts'
import { contentText } from '../tokens.ts'
import { joinContents } from '../wire/chat-messages.ts'
import about from './text-protocol.md'

/** Returns the part of the prompt that lists the tools and explains how to call them. */
export function toolSection(tools: readonly ToolSpec[]): string {
  const list = tools.map(
    ({ name, description, schema }) => `### ${name}\n${description.trim()}\nargs: ${JSON.stringify(schema)}`,
  )
  return `${about.trim()}\n\n${list.join('\n\n')}`
}

/**
 * Returns the conversation without tool roles: calls as `TOOL:` lines, results in fences as messages of the
 * user, with their images but without documents. The system message, or else a new one, gets the list of the
 * tools. Consecutive user messages become one, because some chat templates require alternating turns.
 */
export function flattenHistory(
  messages: readonly ModelMessage[],
  tools: readonly ToolSpec[],
): ModelMessage[] {
  const out: ModelMessage[] = []
  for (const message of messages) {
    const plain = flattenOne(message)
    const last = out.at(-1)
    if (last?.role === 'user' && plain.role === 'user') {
      out[out.length - 1] = { role: 'user', content: joinContents(last.content, plain.content) }
    } else {
      out.push(plain)
    }
  }
  if (tools.length === 0) return out
  const section = toolSection(tools)
  const first = out[0]
  if (first?.role !== 'system') return [{ role: 'system', content: section }, ...out]
  return [{ role: 'system', content: `${first.content}\n\n${section}` }, ...out.slice(1)]
}

function flattenOne(message: ModelMessage): ModelMessage {
  if (message.role === 'assistant') {
    const lines = (message.calls ?? []).map(callLine)
    return {
      role: 'assistant',
      content: [message.content, ...lines].filter((text) => text !== '').join('\n\n'),
    }
  }
  if (message.role !== 'tool') return message
  const text = contentText(message.content)
  const result = `RESULT of ${message.name} (${message.callId}):\n${fenceText(text)}`
  if (typeof message.content === 'string') return { role: 'user', content: result }
  const images = message.content.filter((part) => part.type === 'image')
  return { role: 'user', content: images.length > 0 ? [{ type: 'text', text: result }, ...images] : result }
}

function callLine(call: ModelToolCall): string {
  if (call.malformed) return `TOOL: ${call.malformed.raw.replaceAll('\n', ' ')}`
  return `TOOL: ${JSON.stringify({ name: call.name, args: call.args ?? {} })}`
}
