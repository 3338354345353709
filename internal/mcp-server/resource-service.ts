// Resources of an MCP server: pages of the list, templates, contents, and notices of changes.
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server'
import { fingerprint } from '../base/fingerprint.ts'
import type { McpSurface } from './surface.ts'

/** Largest number of resources on one page of the list. */
const pageSize = 50
/** Milliseconds between two checks of the resources that a client has subscribed to. */
const lookMs = 1_000
const maxSubscriptions = 64

export function serveResources(server: Server, surface: McpSurface): void {
  server.setRequestHandler('resources/list', async ({ params }) => {
    const all = await surface.resources()
    const from = readCursor(params?.cursor)
    const nextCursor = from + pageSize < all.length ? String(from + pageSize) : undefined
    return { resources: all.slice(from, from + pageSize), nextCursor }
  })
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const resource = await surface.read(uri)
    if (!resource) throw createUnknownError(uri)
    return { contents: [{ uri, ...resource }] }
  })
  serveSubscriptions(server, surface)
}

const createUnknownError = (uri: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `nothing has the address ${uri}`)

function readCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `invalid cursor "${cursor}"`)
}

/**
 * Reads the resources that the client has subscribed to, at most 64, every second, and reports a changed one
 * to the client.
 */
function serveSubscriptions(server: Server, surface: McpSurface): void {
  const printByUri = new Map<string, string>()
  const printOf = async (uri: string) => fingerprint((await surface.read(uri))?.text ?? '')
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    for (const [uri, before] of printByUri) {
      try {
        const now = await printOf(uri)
        if (now === before || !printByUri.has(uri)) continue
        printByUri.set(uri, now)
        await server.sendResourceUpdated({ uri })
      } catch {
        // a resource that cannot be read now may be readable at the next look
      }
    }
    isLooking = false
  }
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!(await surface.read(uri))) throw createUnknownError(uri)
    if (printByUri.size >= maxSubscriptions)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'too many subscriptions')
    printByUri.set(uri, await printOf(uri))
    timer ??= setInterval(() => void look(), lookMs).unref()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    printByUri.delete(uri)
    if (printByUri.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
    return {}
  })
  server.onclose = () => clearInterval(timer)
}

const markdown = 'text/markdown'
const json = 'application/json'

/**
 * Templates of the URIs of the workspace's resources. The list of resources contains only the latest ones;
 * older ones can be read too.
 */
const resourceTemplates = [
  {
    uriTemplate: 'anode://threads/{id}',
    name: 'Conversation',
    description: 'A conversation of this workspace; find_thread finds its id',
    mimeType: markdown,
  },
  {
    uriTemplate: 'anode://studies/{id}',
    name: 'Study report',
    description: 'The report of a study of this workspace; `anode study status` lists ids',
    mimeType: markdown,
  },
  {
    uriTemplate: 'anode://studies/{id}/claims',
    name: 'Study claims',
    description: 'The claims of a study with the verdict on each quote',
    mimeType: json,
  },
  {
    uriTemplate: 'anode://builds/{id}',
    name: 'Build',
    description: 'Tasks, queue, branch and cost of a build of this workspace; `anode build list` lists ids',
    mimeType: json,
  },
  {
    uriTemplate: 'anode://proofs/{id}',
    name: 'Proof',
    description: 'The receipt of a call of prove',
    mimeType: json,
  },
  {
    uriTemplate: 'anode://compare/{id}',
    name: 'Comparison',
    description: 'The result of a comparison of two commits',
    mimeType: json,
  },
]
