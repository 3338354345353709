// Result of a call in MCP form: its text and images, with structured data.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { CallResult } from '../tool/invoke.ts'
import { boundData } from '../tool/result.ts'

export function toCallToolResult({ text, media, data, failed, call }: CallResult): CallToolResult {
  // The result text already contains the text of documents, so only images are sent as separate parts.
  const pictures = (media ?? []).flatMap(({ type, mime, base64 }) =>
    type === 'image' ? [{ type, mimeType: mime, data: base64 }] : [],
  )
  const structured = failed ? { error: { ...failed } } : toStructured(data)
  return {
    content: [{ type: 'text', text }, ...pictures],
    structuredContent: structured,
    isError: failed ? true : undefined,
    // The tool `result` takes the id of this call to page through a text that was cut off in the answer.
    _meta: { 'anode/call': call },
  }
}

/**
 * Returns an object, as MCP requires; another value becomes its field `data`. Long values are cut, and the
 * field `cut` is then true. Undefined without a value, or if it is too long even then.
 */
function toStructured(value: unknown): Record<string, unknown> | undefined {
  const { data, data_cut } = boundData(value)
  if (data === undefined) return undefined
  const isObject = typeof data === 'object' && !Array.isArray(data)
  const fields = isObject ? (data as Record<string, unknown>) : { data }
  return data_cut ? { ...fields, cut: true } : fields
}
