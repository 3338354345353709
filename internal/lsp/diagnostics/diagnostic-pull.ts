// Requests for the diagnostics of one version, for servers that answer such requests.
import { setTimeout as sleep } from 'node:timers/promises'
import { objectOf } from '../../base/untrusted-json.ts'
import { type LspClient, mayPass } from '../protocol/lsp-client.ts'
import { textOf, valuesOf } from '../protocol/protocol-values.ts'
import type { WaitLimit } from '../wait-limit.ts'
import { readDiagnostics, readLabels, type ServerDiagnostic } from './diagnostic-board.ts'

/** Returns the diagnostics of the text that the server got last. Rejects like `LspClient.request`. */
type DiagnosticPull = (uri: string, limit: WaitLimit) => Promise<ServerDiagnostic[]>

/** Returns the request for a server's diagnostics; undefined for a server that only pushes them. */
export function pullOf(client: LspClient): DiagnosticPull | undefined {
  const { diagnosticProvider, executeCommandProvider } = client.capabilities
  if (valuesOf(objectOf(executeCommandProvider)?.commands).includes(tsserver)) return askTsserver(client)
  if (!diagnosticProvider && !client.registered('textDocument/diagnostic')) return undefined
  return askProtocol(client, textOf(objectOf(diagnosticProvider)?.identifier))
}

const tries = 20
const betweenMs = 100

function askProtocol(client: LspClient, identifier: string | undefined): DiagnosticPull {
  return async (uri, limit) => {
    const started = performance.now()
    for (let i = 1; ; i++) {
      const remainingMs = limit.timeoutMs - (performance.now() - started)
      try {
        const params = { textDocument: { uri }, identifier }
        const report = await client.request('textDocument/diagnostic', params, {
          ...limit,
          timeoutMs: remainingMs,
        })
        return readDiagnostics(objectOf(report)?.items)
      } catch (error) {
        // with this error the server reports that it is busy with a newer change and that the request
        // may be repeated
        if (!mayPass(error) || i === tries || remainingMs < betweenMs) throw error
        await sleep(betweenMs, undefined, { signal: limit.signal })
      }
    }
  }
}

/**
 * Command of typescript-language-server that sends a request to its compiler. The lists that the server
 * pushes mix results for different versions; the compiler answers in order, so an answer to a request after a
 * change is about that change.
 */
const tsserver = 'typescript.tsserverRequest'
const questions = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync']

function askTsserver(client: LspClient): DiagnosticPull {
  return async (uri, limit) => {
    const replies = await Promise.all(
      questions.map((question) =>
        client.request(
          'workspace/executeCommand',
          { command: tsserver, arguments: [question, { file: uri }] },
          limit,
        ),
      ),
    )
    return replies.flatMap((answer) => valuesOf(objectOf(answer)?.body).flatMap(readTsserver))
  }
}

/** Parses a diagnostic of the compiler, whose lines and offsets count from 1. Empty for an invalid value. */
function readTsserver(value: unknown): ServerDiagnostic[] {
  const raw = objectOf(value)
  const start = objectOf(raw?.start)
  const message = textOf(raw?.text, 2_000)
  const { line, offset } = start ?? {}
  if (!raw || message === undefined || typeof line !== 'number' || typeof offset !== 'number') return []
  const severity =
    raw.category === 'error'
      ? 'error'
      : raw.category === 'warning'
        ? 'warning'
        : raw.category === 'suggestion'
          ? 'hint'
          : 'info'
  const at = { line: Math.max(0, line - 1), character: Math.max(0, offset - 1) }
  return [{ ...at, severity, message, ...readLabels(raw.code, raw.source ?? 'typescript') }]
}
