// The official client of the protocol on the built program, as an editor starts it, with a record
// of all messages.
import { type ChildProcess, spawn } from 'node:child_process'
import { basename } from 'node:path'
import { Readable, Writable } from 'node:stream'
import {
  type AnyMessage,
  type ClientApp,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  client,
  ndJsonStream,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import { onTestFinished } from 'vitest'
import { program, type World } from './anode.ts'

/** Returns the id of the chosen option. undefined: the user closes the question. */
type Choose = (request: RequestPermissionRequest) => string | undefined | Promise<string | undefined>

export interface Editor {
  agent: ClientContext
  connection: ClientConnection
  child: ChildProcess
  updates: { session: string; update: SessionUpdate }[]
  asked: RequestPermissionRequest[]
  /** Buffers by path. Writes to the editor change them. */
  buffers: Map<string, string>
  /** The values for a form, field by field. An empty map declines the form. */
  form: Map<string, string>
  /** Every message of the program, unchanged. */
  said: AnyMessage[]
  stderr(): string
  /** Returns the joined texts of one kind of chunk. */
  words(kind: 'agent_message_chunk' | 'user_message_chunk' | 'agent_thought_chunk'): string
  open(dir: string, more?: object): Promise<string>
  ask(session: string, text: string): Promise<string>
}

interface EditorOptions {
  choose?: Choose
  capabilities?: ClientCapabilities
  words?: readonly string[]
  env?: Record<string, string>
  /** Names of files that the editor does not write. */
  refused?: readonly string[]
  /** Adds handlers for further requests of the program. */
  serve?: (app: ClientApp) => void
}

export async function startEditor(w: World, options: EditorOptions = {}): Promise<Editor> {
  const { choose = () => 'once', capabilities = {}, words = [], env = {}, refused = [] } = options
  const child = spawn(process.execPath, [program, 'acp', ...words], {
    cwd: w.dir,
    env: { PATH: process.env.PATH, HOME: `${w.dir}/..`, ANODE_DATA_DIR: w.data, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  child.stdin.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const said: AnyMessage[] = []
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>,
  )
  const kept = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, controller) {
      said.push(message)
      controller.enqueue(message)
    },
  })
  const editor: Surface = { updates: [], asked: [], buffers: new Map(), form: new Map() }
  const app = clientApp(editor, choose, refused)
  options.serve?.(app)
  const connection = app.connect({
    writable: stream.writable,
    readable: stream.readable.pipeThrough(kept),
  })
  const { agent } = connection
  onTestFinished(async () => {
    connection.close()
    child.stdin.end()
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  })
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities: capabilities })
  return {
    ...editor,
    ...{ agent, connection, child, said, stderr: () => stderr },
    words: (kind) =>
      editor.updates
        .flatMap(({ update }) =>
          update.sessionUpdate === kind && update.content.type === 'text' ? [update.content.text] : [],
        )
        .join(''),
    async open(cwd, more = {}) {
      const { sessionId } = await agent.request('session/new', { cwd, mcpServers: [], ...more })
      return sessionId
    },
    async ask(sessionId, text) {
      const prompt = [{ type: 'text' as const, text }]
      const reply = await agent.request<PromptResponse>('session/prompt', { sessionId, prompt })
      return reply.stopReason
    },
  }
}

type Surface = Pick<Editor, 'updates' | 'asked' | 'buffers' | 'form'>

function clientApp({ updates, asked, buffers, form }: Surface, choose: Choose, refused: readonly string[]) {
  const app = client({ name: 'test' })
  app.onNotification('session/update', ({ params }) => {
    updates.push({ session: params.sessionId, update: params.update })
  })
  app.onRequest('session/request_permission', async ({ params }): Promise<RequestPermissionResponse> => {
    asked.push(params)
    const optionId = await choose(params)
    return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
  })
  app.onRequest('fs/read_text_file', ({ params }) => {
    const content = buffers.get(params.path)
    if (content === undefined) throw new Error('no such buffer')
    return { content }
  })
  app.onRequest('fs/write_text_file', ({ params }) => {
    if (refused.includes(basename(params.path))) throw new Error('read-only')
    buffers.set(params.path, params.content)
    return {}
  })
  app.onRequest('elicitation/create', () =>
    form.size === 0 ? { action: 'decline' } : { action: 'accept', content: Object.fromEntries(form) },
  )
  return app
}
