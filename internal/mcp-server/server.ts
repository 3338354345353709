// MCP server for the tools, resources and prompts of a host (its surface). It has handlers for clients of the
// older and of the newer revision of the protocol.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { toCallToolResult } from './call-content.ts'
import type { CallRound, CallRounds } from './call-rounds.ts'
import type { FormReply } from './elicitation-form.ts'
import { serveResources } from './resource-service.ts'
import type { McpSurface } from './surface.ts'
import { listOfferedTools } from './tool-listing.ts'

/**
 * Key of the question in a result that asks the client, and of the answer in the client's next request. One
 * key is enough, because a call asks one question at a time.
 */
const question = 'question'

/**
 * Largest number of questions during one call of a client of the older revision, above which the call fails.
 * The limit is high, because a subagent may ask many questions.
 */
const maxRounds = 200

interface ServerParts {
  /** Open calls. The creator closes them, because a call may wait longer than its server exists. */
  rounds: CallRounds
  /** Called when the list of offered tools changes. Default: the server itself notifies its client. */
  toolsChanged?: () => void
}

/** Creates a server: one for each connection, or over HTTP one for each request of the newer revision. */
export function createMcpServer(surface: McpSurface, { rounds, toolsChanged }: ServerParts): Server {
  const server = new Server(
    { name: 'anode', title: 'Anode', version: surface.version },
    {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} },
      instructions: surface.instructions,
      inputRequired: { maxRounds },
      // Answers are parsed field by field, so the SDK need not compile their schemas.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
  const tell = toolsChanged ?? (() => void server.sendToolListChanged().catch(() => undefined))
  let listed = surface.tools()
  server.setRequestHandler('tools/list', async () => {
    listed = surface.tools()
    return { tools: listOfferedTools(listed) }
  })
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const { name, arguments: args = {} } = params
    const result = await takeRound(rounds, readRound(server, name, args, ctx))
    // The call may have added tools, for example because it loaded a skill or an MCP server.
    if (surface.tools() !== listed) {
      listed = surface.tools()
      tell()
    }
    return result
  })
  serveResources(server, surface)
  servePrompts(server, surface)
  return server
}

function servePrompts(server: Server, surface: McpSurface): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: (await surface.prompts()).map((prompt) => ({ ...prompt, arguments: [inputArgument] })),
  }))
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const text = await surface.prompt(params.name, params.arguments?.[inputArgument.name])
    if (text === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown prompt ${params.name}`)
    return { messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
}

const inputArgument = { name: 'input', description: 'What the instructions are for', required: false }

async function takeRound(
  rounds: CallRounds,
  round: CallRound,
): Promise<CallToolResult | InputRequiredResult> {
  const end = await rounds.take(round)
  if (end.kind === 'unknown')
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no question waits for this answer')
  if (end.kind === 'asks') {
    const form = inputRequired.elicit({ mode: 'form', ...end.form })
    return inputRequired({ inputRequests: { [question]: form }, requestState: end.state })
  }
  const { result } = end
  if (!round.signal.aborted) await result.settle?.()
  return toCallToolResult(result)
}

function readRound(
  server: Server,
  name: string,
  args: Record<string, unknown>,
  { mcpReq }: ServerContext,
): CallRound {
  const state = mcpReq.requestState<string>()
  const client = clientCapabilities(server, mcpReq)
  const token = mcpReq._meta?.progressToken
  return {
    name,
    args,
    signal: mcpReq.signal,
    // A client of the older protocol that supports forms lists its modes; without a list it
    // supports ordinary forms.
    canAsk:
      client?.elicitation !== undefined && (!client.elicitation.url || client.elicitation.form !== undefined),
    report({ progress, total, message }) {
      if (token === undefined) return
      const params = { progressToken: token, progress, total, message }
      // A progress notification fails if the client has disconnected, which is ignored.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
    },
    answer: state === undefined ? undefined : { state, reply: readReply(mcpReq.inputResponses) },
  }
}

/** Returns the client's capabilities; the newer revision sends them with every request. */
function clientCapabilities(server: Server, { envelope }: ServerContext['mcpReq']) {
  const stated = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY]
  return (stated as ClientCapabilities | undefined) ?? server.getClientCapabilities()
}

/** Parses the answer to the form; any other value counts as canceled. */
function readReply(responses: Record<string, unknown> | undefined): FormReply {
  const view = inputResponse(responses, question)
  if (view.kind !== 'elicit') return { action: 'cancel' }
  return { action: view.action, content: view.content }
}
