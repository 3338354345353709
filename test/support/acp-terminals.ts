// The terminals of an editor: each request `terminal/…` is done with a real process.
import { type ChildProcess, spawn } from 'node:child_process'
import type { ClientApp } from '@agentclientprotocol/sdk/unstable'

type Step = 'create' | 'output' | 'wait_for_exit' | 'kill' | 'release'

interface OpenTerminal {
  child: ChildProcess
  output: string
  ended: Promise<{ exitCode: number | null; signal: string | null }>
}

export interface EditorTerminals {
  /** Every request, as `step terminal`. */
  readonly requests: string[]
  readonly params: Record<string, unknown>[]
  /** Ends what still runs. */
  close(): void
}

/** Serves the requests on `app`. `env` is the environment of the editor. */
export function serveTerminals(app: ClientApp, env: NodeJS.ProcessEnv = process.env): EditorTerminals {
  const open = new Map<string, OpenTerminal>()
  const served: EditorTerminals = {
    requests: [],
    params: [],
    close() {
      for (const { child } of open.values()) child.kill('SIGKILL')
    },
  }
  const { requests, params } = served
  let count = 0
  const serve = (step: Step, usual: (params: never) => unknown) =>
    app.onRequest(`terminal/${step}` as 'terminal/create', async (request) => {
      const given = request.params as unknown as Record<string, unknown>
      params.push(given)
      requests.push(`${step} ${given.terminalId ?? ''}`.trim())
      return (await usual(given as never)) as never
    })
  serve('create', (given: { command: string; args: string[]; cwd: string; outputByteLimit: number }) => {
    const id = `terminal-${++count}`
    const child = spawn(given.command, given.args, {
      ...{ cwd: given.cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    })
    const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    })
    const terminal: OpenTerminal = { child, output: '', ended }
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        terminal.output += chunk
      })
    open.set(id, terminal)
    return { terminalId: id }
  })
  const of = ({ terminalId }: { terminalId: string }) => {
    const terminal = open.get(terminalId)
    if (!terminal) throw new Error(`terminal ${terminalId} not found`)
    return terminal
  }
  serve('wait_for_exit', (given: { terminalId: string }) => of(given).ended)
  serve('output', (given: { terminalId: string }) => ({ output: of(given).output, truncated: false }))
  serve('kill', (given: { terminalId: string }) => {
    of(given).child.kill('SIGKILL')
    return {}
  })
  serve('release', (given: { terminalId: string }) => {
    of(given).child.kill('SIGKILL')
    open.delete(given.terminalId)
    return {}
  })
  return served
}
