// Resources of MCP servers as matches for `@` in a message. Stored listings also supply those of servers that
// do not run.
import type { McpMember } from '../../../mcp/server-member.ts'
import type { Runtime } from '../../../runtime/runtime.ts'
import { formatMention, parseMention } from '../../../tool-support/mention.ts'
import type { SessionRuntime } from '../startup/session-runtime.ts'
import { type MentionName, nameChoice } from './name-list.ts'

/**
 * Returns a function that lists the resources in the stored listings of servers; empty until the runtime of
 * the session has opened. It starts no server.
 */
export function watchResources(
  session: Pick<SessionRuntime, 'isOpen' | 'open'>,
): () => readonly MentionName[] {
  let runtime: Runtime | undefined
  let isAsked = false
  const ask = async () => {
    runtime = await session.open()
  }
  return () => {
    if (!isAsked && session.isOpen) {
      isAsked = true
      ask().catch(() => {
        // the error is ignored, because a run that needs the server reports it
        isAsked = false
      })
    }
    return runtime?.foreign.opened?.servers?.members.flatMap(resourcesOf) ?? []
  }
}

/**
 * Returns the resources of a server that a mention can name; an empty list for a server whose launch
 * is not approved.
 */
function resourcesOf({ server, listing, standing }: McpMember): MentionName[] {
  if (standing.launch !== undefined) return []
  return (listing?.resources ?? []).flatMap(({ uri }) => {
    const name = [server.name, server.slug].find((one) => isNamed(one, uri))
    return name === undefined
      ? []
      : [nameChoice({ path: `${name}:${uri}`, kind: 'resource' }, `${name}:${uri}`)]
  })
}

function isNamed(server: string, uri: string): boolean {
  const named = parseMention(formatMention({ server, uri }))
  return named?.server === server && named.uri === uri
}
