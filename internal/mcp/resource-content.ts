// A part of a resource as text or media for a model. A file is converted like a file that a user attaches.
import type { ReadResourceResult } from '@modelcontextprotocol/client'
import type { ResourceContent } from '../tool/ctx.ts'

export async function describeResource(
  part: ReadResourceResult['contents'][number],
  signal: AbortSignal,
): Promise<ResourceContent> {
  if ('text' in part) return { text: part.text, media: [] }
  const { describeAttachedFile } = await import('../document/attached-file.ts')
  const bytes = Buffer.from(part.blob, 'base64')
  const { summary, body, media = [] } = await describeAttachedFile(part.uri, bytes, signal)
  return { text: [summary, body].filter(Boolean).join('\n'), media }
}
