// Definitions by name from the language servers of the workspace, within limited time.
import { FailureError } from '../base/errors.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { Ctx } from '../tool/ctx.ts'
import type { LspHit } from '../tool/lsp.ts'
import { openLineReader } from './line-reader.ts'

/** Longest wait in milliseconds. A server that was just started has to read the project first. */
const maxWaitMs = 8_000

/**
 * Returns a function that finds definitions by name; undefined without a language server. If the
 * servers fail or need more than 8 seconds, its result contains a note instead of hits. It rejects if
 * the call is cancelled.
 */
export function symbolServersOf(ctx: Ctx) {
  const { lsp } = ctx.can
  if (lsp?.usable() !== true) return undefined
  return async (name: string): Promise<{ hits: LspHit[]; notes: string[] }> => {
    const { lines } = openLineReader(ctx)
    const limit = timeLimit(maxWaitMs)
    try {
      return await lsp.query(
        { operation: 'workspaceSymbol', text: name, includeDeclaration: false, lines },
        AbortSignal.any([ctx.signal, limit]),
      )
    } catch (error) {
      if (!(error instanceof FailureError) || ctx.signal.aborted) throw error
      const why = limit.aborted ? `no answer within ${maxWaitMs / 1000} s` : error.failure.message
      return { hits: [], notes: [`language server: ${why}`] }
    }
  }
}
