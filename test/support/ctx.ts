// A Ctx of real parts for tests that call a tool's `run` directly: nothing is faked, what is left out is absent.
import { tmpdir } from 'node:os'
import { FailureError } from '../../internal/base/errors.ts'
import type { Capabilities, Ctx } from '../../internal/tool/ctx.ts'
import { parseArguments } from '../../internal/tool/parse.ts'
import { failureResult, type ToolResult, withNotes } from '../../internal/tool/result.ts'
import type { CallAccess, Tool, ToolInput } from '../../internal/tool/tool.ts'
import { variantOf } from '../../internal/tools/variants/index.ts'

/** Parts of a context that differ from those of another one. */
export type CtxChanges = Partial<Omit<Ctx, 'call' | 'gate' | 'can'>> & {
  call?: Partial<Ctx['call']>
  gate?: Partial<Ctx['gate']>
  can?: Partial<Capabilities>
}

export const changeCtx = (ctx: Ctx, { call, gate, can, ...over }: CtxChanges): Ctx => ({
  ...ctx,
  ...over,
  call: { ...ctx.call, ...call },
  gate: { ...ctx.gate, ...gate },
  can: { ...ctx.can, ...can },
})

/** Returns a context in the temporary directory with these capabilities. */
export function ctxWith(can: Partial<Capabilities> = {}, over: CtxChanges = {}): Ctx {
  const cwd = over.cwd ?? tmpdir()
  const base: Ctx = {
    cwd,
    signal: new AbortController().signal,
    thread: undefined,
    policy: {
      mode: 'ask',
      rules: [],
      profile: 'test',
      agent: 'thread',
      readOnly: false,
      roots: { workspace: cwd, added: [], protected: [] },
      parents: [],
    },
    env: {},
    settings: { web: { enabled: true }, shell: { env: [] }, lookAt: { targets: {} } },
    seen: new Map(),
    log: { append: async () => undefined, keep: async () => '' },
    call: { id: '' },
    gate: {
      ask: async () => ({ allow: false, why: 'no user is present' }),
      answers: async () => [],
      remember: async () => undefined,
      middleware: [],
    },
    can: { processes: {}, records: {}, ...can },
  }
  return changeCtx(base, over)
}

/**
 * Parses as `invoke` does, then validates and runs; a thrown FailureError is a failed result. Arguments that do not
 * parse are a thrown Error.
 */
export async function call<I extends ToolInput, D>(
  tool: Tool<I, D>,
  raw: unknown,
  ctx: Ctx,
  caller: 'native' | 'adapter' = 'native',
): Promise<ToolResult<D | null>> {
  const input = caller === 'adapter' ? variantOf(tool).input : tool.input
  const parsed = parseArguments(input as I, raw)
  if (!parsed.ok) throw new Error(parsed.issues.join('; '))
  try {
    await tool.validate?.(parsed.args, ctx)
    const { closing = '', ...result } = await tool.run(parsed.args, ctx)
    return { ...result, text: withNotes(result.text, [closing]) }
  } catch (error) {
    if (error instanceof FailureError) return failureResult(error.failure)
    throw error
  }
}

/** Returns a context whose workspace is `dir`. Records of tools go to `data`. */
export function ctxIn(dir: string, data: string, over: CtxChanges = {}): Ctx {
  return ctxWith({}, { cwd: dir, env: { ANODE_DATA_DIR: data }, ...over })
}

/** Returns the access of a call, as the tool derives it from parsed arguments. */
export function accessOf<I extends ToolInput, D>(
  tool: Tool<I, D>,
  args: Parameters<Tool<I, D>['run']>[0],
  ctx: Ctx = ctxWith(),
): CallAccess {
  return tool.access?.(args, ctx) ?? {}
}
