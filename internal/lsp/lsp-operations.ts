// Queries of tools, each with its LSP requests and the parser of the answer.
import { FailureError } from '../base/errors.ts'
import { objectOf } from '../base/untrusted-json.ts'
import type { LspOperation } from '../tool/lsp.ts'
import type { LspSession } from './lsp-session.ts'
import { mayPass } from './protocol/lsp-client.ts'
import {
  callOf,
  type HierarchyCall,
  pointOf,
  proseOf,
  type ServerLocation,
  type ServerSymbol,
  spotsOf,
  symbolsOf,
  valuesOf,
} from './protocol/protocol-values.ts'
import type { WaitLimit } from './wait-limit.ts'

/**
 * A query to one server. The file is open in the server, and the column of the position counts the units of
 * the server, UTF-8 or UTF-16.
 */
interface ServerQuestion {
  uri?: string
  path?: string
  position?: { line: number; character: number }
  text: string
  includeDeclaration: boolean
}

export type OperationPlace = ServerLocation & Partial<ServerSymbol>

interface ServerAnswer {
  places: OperationPlace[]
  text?: string
}

interface OperationRequest {
  /** Capability that the server must declare. */
  provider: string
  needs: 'position' | 'file' | 'nothing'
  /** True if the answer depends on other files of the project, which the server may not have read yet. */
  wide?: true
  ask(send: SendRequest, question: ServerQuestion): Promise<ServerAnswer>
}

type SendRequest = (method: string, params: unknown) => Promise<unknown>

const maxTextChars = 20_000

const toPositionParams = ({ uri, position }: ServerQuestion) => ({ textDocument: { uri }, position })

const createPlaceRequest = (method: string, provider: string): OperationRequest => ({
  provider,
  needs: 'position',
  ask: async (send, question) => ({ places: spotsOf(await send(method, toPositionParams(question))) }),
})

/**
 * Returns an operation that prepares the call hierarchy, then queries each of the first 10 items
 * at the position.
 */
const createCallRequest = (
  read: (send: SendRequest, call: HierarchyCall, path: string) => Promise<OperationPlace[]>,
): OperationRequest => ({
  provider: 'callHierarchyProvider',
  needs: 'position',
  async ask(send, question) {
    const items = valuesOf(await send('textDocument/prepareCallHierarchy', toPositionParams(question))).slice(
      0,
      10,
    )
    const callPlaces: OperationPlace[] = []
    for (const call of items.flatMap((item) => callOf(item) ?? [])) {
      callPlaces.push(...(await read(send, call, question.path ?? call.path)))
    }
    return { places: callPlaces }
  },
})

export const operationRequests: Readonly<Record<LspOperation, OperationRequest>> = {
  goToDefinition: createPlaceRequest('textDocument/definition', 'definitionProvider'),
  goToImplementation: {
    ...createPlaceRequest('textDocument/implementation', 'implementationProvider'),
    wide: true,
  },
  findReferences: {
    provider: 'referencesProvider',
    needs: 'position',
    wide: true,
    async ask(send, question) {
      const context = { includeDeclaration: question.includeDeclaration }
      return {
        places: spotsOf(await send('textDocument/references', { ...toPositionParams(question), context })),
      }
    },
  },
  hover: {
    provider: 'hoverProvider',
    needs: 'position',
    async ask(send, question) {
      const answer = objectOf(await send('textDocument/hover', toPositionParams(question)))
      return { places: [], text: proseOf(answer?.contents, maxTextChars) }
    },
  },
  documentSymbol: {
    provider: 'documentSymbolProvider',
    needs: 'file',
    async ask(send, { uri, path }) {
      return { places: symbolsOf(await send('textDocument/documentSymbol', { textDocument: { uri } }), path) }
    },
  },
  workspaceSymbol: {
    provider: 'workspaceSymbolProvider',
    needs: 'nothing',
    wide: true,
    async ask(send, { text }) {
      return { places: symbolsOf(await send('workspace/symbol', { query: text })) }
    },
  },
  prepareCallHierarchy: createCallRequest(async (_send, { item: _, ...place }) => [place]),
  // the results are the places of the calls, each with the function that contains it
  incomingCalls: {
    wide: true,
    ...createCallRequest(async (send, call) =>
      valuesOf(await send('callHierarchy/incomingCalls', { item: call.item })).flatMap((one) => {
        const from = callOf(objectOf(one)?.from)
        if (!from) return []
        const { item: _, ...place } = from
        const at = valuesOf(objectOf(one)?.fromRanges).flatMap(
          (range) => pointOf(objectOf(range)?.start) ?? [],
        )
        return (at.length > 0 ? at : [place]).map((point) => ({ ...place, ...pickPosition(point) }))
      }),
    ),
  },
  // the results are the called functions, at their definitions
  outgoingCalls: createCallRequest(async (send, call) =>
    valuesOf(await send('callHierarchy/outgoingCalls', { item: call.item })).flatMap((one) => {
      const to = callOf(objectOf(one)?.to)
      if (!to) return []
      const { item: _, ...place } = to
      return [place]
    }),
  ),
}

const pickPosition = ({ line, character }: { line: number; character: number }) => ({ line, character })

const tries = 10

/**
 * Sends an operation's requests. Rejects with FailureError; `unavailable` if the server does not
 * support the operation.
 */
export async function askServer(
  name: LspOperation,
  { client }: LspSession,
  server: string,
  question: ServerQuestion,
  limit: WaitLimit,
): Promise<ServerAnswer> {
  const { provider, ask: run } = operationRequests[name]
  if (!client.capabilities[provider]) {
    const message = `${server} does not offer ${name}`
    throw new FailureError({ code: 'unavailable', message, detail: { offered: false } })
  }
  const deadline = performance.now() + limit.timeoutMs
  const send: SendRequest = async (method, params) => {
    for (let i = 1; ; i++) {
      try {
        return await client.request(method, params, { ...limit, timeoutMs: deadline - performance.now() })
      } catch (error) {
        // the server canceled the request because its state changed, so a retry can succeed
        if (!mayPass(error) || i === tries) throw error
      }
    }
  }
  return run(send, question)
}
