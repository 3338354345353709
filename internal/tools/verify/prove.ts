// The tool prove: runs checks on the present files, and with the original tests.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { withFreshBytecode } from '../../process/fresh-bytecode.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import type { CheckRunner, StoredProof } from '../../tool/verification.ts'
import { runShellCommand } from '../../tool-support/shell-command.ts'
import { hasVerification, openVerification } from '../../tool-support/verification.ts'
import about from './prove.md'

/**
 * Limits of the stored output of a check: only the last `maxLines` lines are kept, and of these only the
 * last `maxChars` characters.
 */
const maxLines = 60
const maxChars = 4096
const defaultSeconds = 600

export const prove = defineTool({
  name: 'prove',
  about,
  level: 'confirm_execute',
  input: z.object({
    commands: field(z.array(z.string()).check(z.minLength(1)), 'Commands that must all pass, in order', {
      cap: 10,
    }),
    base: field(z._default(z.string(), 'HEAD'), 'Git revision of the original tests'),
    allow: field(z._default(z.array(z.string()), []), 'Globs of tests that the task may change'),
    timeout_s: field(z._default(z.int().check(z.minimum(1)), defaultSeconds), 'Seconds for each run', {
      cap: 1800,
    }),
  }),
  example: { commands: ['npm test'] },
  offer: { mainOnly: true },
  access: ({ commands }) => ({ scope: commands.map((line) => ({ kind: 'command', line })) }),
  available: hasVerification,
  async run({ commands, base, allow, timeout_s }, ctx): Promise<ToolResult<StoredProof>> {
    if (commands.some((command) => command.trim() === ''))
      throw new FailureError({ code: 'bad_args', message: 'commands: a command is empty' })
    const { prove: start } = await openVerification(ctx)
    const reportStart = (id: string) => {
      const payload = { call: ctx.call.id, tool: 'prove', progress: 0, message: `proof ${id} begun` }
      void ctx.log.append({ type: 'tool.progress', payload })
    }
    const proof = await start({ commands, base, allow }, checkIn(ctx, timeout_s * 1000), reportStart)
    return { text: describeStoredProof(proof), data: proof }
  },
})

/**
 * Returns a function that runs the command of a check in the sandbox of the tool `bash`. The check's
 * directory then counts as the workspace.
 */
function checkIn(ctx: Ctx, timeoutMs: number): CheckRunner {
  let runs = 0
  return async (command, dir, linked) => {
    const payload = { call: ctx.call.id, tool: 'prove', progress: ++runs, message: command }
    void ctx.log.append({ type: 'tool.progress', payload })
    const { roots } = ctx.policy
    const moved = { ...roots, workspace: dir, added: [...roots.added, ...linked] }
    const at = dir === ctx.cwd ? ctx : { ...ctx, cwd: dir, policy: { ...ctx.policy, roots: moved } }
    const order = { command: withFreshBytecode(command), dir, timeoutMs, apart: true }
    const { outcome, output } = await runShellCommand(order, at)
    const { exit, ms, ended: endReason, sandbox } = outcome
    const refused = sandbox?.refused ?? []
    return {
      isSandboxed: sandbox !== undefined,
      exit: endReason === undefined ? exit : null,
      ms: Math.round(ms),
      output: output.trimEnd().split('\n').slice(-maxLines).join('\n').slice(-maxChars),
      ended: endReason,
      refused: refused.length > 0 ? refused : undefined,
    }
  }
}

function describeStoredProof({ id, state, reason, checks, changed, allowed }: StoredProof): string {
  const lines = checks.map(({ command, exit, ended: endReason, ms, originals }) => {
    const end = endReason ?? `exit ${exit ?? 'by signal'}`
    return `${command}  ${end}  ${ms} ms${originals === 'restored' ? '  with the original tests' : ''}`
  })
  const failed = checks.find(({ exit }) => exit !== 0)
  return [
    state === 'proven' ? `proven (${id})` : `NOT proven: ${reason} (${id})`,
    ...lines,
    ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
    ...(allowed.length > 0 ? [`allowed changes: ${allowed.join(', ')}`] : []),
    ...(failed && failed.output !== '' ? ['--- output', failed.output] : []),
    ...(failed?.refused ?? []).map((text) => `sandbox: ${text}`),
  ].join('\n')
}
