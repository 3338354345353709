// The content of servers' resources, as a model reads it.
import type { ResourceContent } from '../tool/ctx.ts'
import { describeResource } from './resource-content.ts'
import type { McpMember } from './server-member.ts'

/** Reads all parts of a resource. Rejects with FailureError. */
export async function readResource(
  member: McpMember,
  uri: string,
  signal: AbortSignal,
): Promise<ResourceContent> {
  return member.use(`read ${uri}`, signal, async (client) => {
    const timeout = member.server.callMs
    const { contents } = await client.readResource({ uri }, { signal, timeout })
    const parts = await Promise.all(contents.map((part) => describeResource(part, signal)))
    return {
      text: parts.map(({ text }) => text).join('\n'),
      media: parts.flatMap(({ media }) => media),
    }
  })
}
