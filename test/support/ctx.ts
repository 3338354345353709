// A Ctx of real parts for tests that call a tool's `run` directly: nothing is faked, what is left out is absent.
import { tmpdir } from 'node:os'
import type { Can, Ctx } from '../../internal/tool/ctx.ts'
import { parse } from '../../internal/tool/parse.ts'
import { type Result, withNotes } from '../../internal/tool/result.ts'
import type { Input, Tool } from '../../internal/tool/tool.ts'

/** A context in the temporary directory with the given capabilities. */
export function ctxWith(can: Can = {}, over: Partial<Ctx> = {}): Ctx {
  const cwd = over.cwd ?? tmpdir()
  return {
    cwd,
    signal: new AbortController().signal,
    call: '',
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
    ask: async () => ({ allow: false, why: 'nobody is here' }),
    answers: async () => [],
    remember: async () => undefined,
    around: [],
    can,
    ...over,
  }
}

/** Parses as `invoke` does, then validates and runs. Arguments that do not parse are a thrown Error. */
export async function call<I extends Input, D>(
  tool: Tool<I, D>,
  raw: unknown,
  ctx: Ctx,
): Promise<Result<D | null>> {
  const parsed = parse(tool.input, raw)
  if (!parsed.ok) throw new Error(parsed.issues.join('; '))
  const failed = await tool.validate?.(parsed.args, ctx)
  if (failed) return { text: failed.message, data: null, failed }
  const { closing = '', ...result } = await tool.run(parsed.args, ctx)
  return { ...result, text: withNotes(result.text, [closing]) }
}

/** A context whose workspace is `dir`; what tools record goes to `data`. */
export function ctxIn(dir: string, data: string, over: Partial<Ctx> = {}): Ctx {
  return ctxWith({}, { cwd: dir, env: { ANODE_DATA_DIR: data }, ...over })
}
