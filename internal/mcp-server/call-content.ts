// The result of a call in the words of MCP: its text and pictures, and its data beside them.
import type { CallToolResult } from '@modelcontextprotocol/server'
import { boundData } from '../event/bound-data.ts'
import type { CallResult } from '../tool/invoke.ts'

export function toCallToolResult({ text, media, data, failed, call }: CallResult): CallToolResult {
  // the text of a document is in the result
  const pictures = (media ?? []).flatMap(({ type, mime, base64 }) =>
    type === 'image' ? [{ type, mimeType: mime, data: base64 }] : [],
  )
  const structured = failed ? { error: { ...failed } } : toStructured(data)
  return {
    content: [{ type: 'text', text }, ...pictures],
    structuredContent: structured,
    isError: failed ? true : undefined,
    // by this number `result` pages what was cut
    _meta: { 'anode/call': call },
  }
}

/** MCP wants an object; other values become the field `data` of one. */
function toStructured(value: unknown): Record<string, unknown> | undefined {
  const { data, data_cut } = boundData(value)
  if (data === undefined) return undefined
  const isObject = typeof data === 'object' && !Array.isArray(data)
  const fields = isObject ? (data as Record<string, unknown>) : { data }
  return data_cut ? { ...fields, cut: true } : fields
}
