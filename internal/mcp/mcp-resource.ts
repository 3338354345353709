// The content of servers' resources as text.
import type { ReadResourceResult } from '@modelcontextprotocol/client'
import type { McpMember } from './server-member.ts'

/** The content, binary parts by their size. Rejects with FailureError. */
export async function readResource(member: McpMember, uri: string, signal: AbortSignal): Promise<string> {
  return member.use(`read ${uri}`, signal, async (client) => {
    const timeout = member.server.callMs
    const { contents } = await client.readResource({ uri }, { signal, timeout })
    return contents.map(partOf).join('\n')
  })
}

function partOf(part: ReadResourceResult['contents'][number]): string {
  if ('text' in part) return part.text
  return `[${Buffer.byteLength(part.blob, 'base64')} bytes of ${part.mimeType ?? 'data'}]`
}
