// The tool bash: runs one shell command in a separate process group, waits for its exit and kills the
// processes that it leaves running, or starts the command as a background job.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { collapseRepeats } from '../../base/text/repeat-collapser.ts'
import type { JobState } from '../../process/background-jobs.ts'
import type { CapturedOutput, CommandOutcome } from '../../process/process-command.ts'
import type { Ctx } from '../../tool/ctx.ts'
import { field } from '../../tool/field.ts'
import type { ToolResult } from '../../tool/result.ts'
import { defineTool } from '../../tool/tool.ts'
import { commandSandbox } from '../../tool-support/command-sandbox.ts'
import {
  describeShellEnd,
  judgedLine,
  maxShellMs,
  runShellCommand,
  type ShellCommand,
  type ShellOutcome,
  shellCommandOf,
  shellDirectory,
  shellOutcomeOf,
} from '../../tool-support/shell-command.ts'
import type { VariantArgs } from '../variants/index.ts'
import about from './bash.md'

const usualTimeoutMs = 30_000

const input = z.object({
  command: field(z.string().check(z.minLength(1)), 'Command line, or several lines'),
  cwd: field(z.optional(z.string()), 'Directory to run in, instead of cd; default: the workspace'),
  timeout_ms: field(
    z._default(z.int().check(z.minimum(1)), usualTimeoutMs),
    'Milliseconds until it is stopped; for builds and tests 300000 or more',
    { cap: maxShellMs },
  ),
  needs: field(
    z.optional(
      z.object({
        network: field(z.optional(z.array(z.string())), 'Host names such as packages.example.org'),
        write: field(z.optional(z.array(z.string())), 'Existing paths outside the workspace'),
      }),
    ),
    'What the sandbox forbids and this command needs; the user is asked',
  ),
  background: field(z.optional(z.boolean()), 'Start it and return a job_id for the tool jobs at once', {
    with: 'jobs',
  }),
  wake: field(z.optional(z.boolean()), 'With background: continue this conversation when the job ends', {
    with: 'jobs',
  }),
})
type BashArgs = z.output<typeof input> & VariantArgs<'bash'>

export const bash = defineTool({
  name: 'bash',
  about,
  level: 'confirm_execute',
  input,
  example: { command: 'npm test', timeout_ms: 60_000 },
  clip: { chars: 30_000, lines: 256, keep: 'ends' },
  access: ({ command, cwd, stdin, needs }: BashArgs) => ({
    scope: [
      { kind: 'command', line: judgedLine(command, stdin), cwd },
      ...(cwd === undefined ? [] : [{ kind: 'path' as const, path: cwd, access: 'read' as const }]),
      // Each host and path that the command needs is judged separately, and always by the user or a rule.
      ...(needs?.network ?? []).map((host) => ({ kind: 'host' as const, host })),
      ...(needs?.write ?? []).map((path) => ({
        kind: 'path' as const,
        path,
        access: 'write' as const,
        granted: true,
      })),
    ],
    sandboxed: true,
  }),
  available: (ctx) => (ctx.can.processes.run ? true : 'no processes may be started here'),
  async validate({ needs }, ctx) {
    if (needs) await commandSandbox(ctx, needs)
  },
  async run(args: BashArgs, ctx): Promise<ToolResult<ShellOutcome | JobState>> {
    const { command, cwd, timeout_ms, stdin, strict, streams, needs } = args
    const dir = shellDirectory(cwd, ctx)
    const order = { command, dir, timeoutMs: timeout_ms, stdin, strict, needs, apart: streams === 'apart' }
    if (args.background) return startJob(order, args.wake === true, ctx)
    const { outcome, output, sandbox } = await runShellCommand(order, ctx)
    const { status, notes, failed } = describeShellEnd(outcome, timeout_ms)
    const remarks = [...notes, ...sandbox].join('; ')
    const next = failed?.code === 'timeout' ? `; ${failed.hint}` : ''
    const text = (streams === 'apart' ? labelStreams(outcome) : output).replace(/\n$/, '')
    return {
      text,
      closing: [`[${status}${next}]`, ...sandbox].join('\n'),
      data: shellOutcomeOf(outcome),
      raw: {
        output: text,
        stdout: plainStream(outcome.stdout),
        stderr: plainStream(outcome.stderr),
        ...(remarks !== '' && { notes: remarks }),
      },
      failed,
    }
  },
})

/**
 * Starts a background job with the time limit of the call. The default of 30 seconds is for a caller that
 * waits; with this default, a job has no limit. Throws FailureError `unavailable` if no job can run here.
 */
async function startJob(order: ShellCommand, wakes: boolean, ctx: Ctx): Promise<ToolResult<JobState>> {
  const board = await ctx.can.processes.jobs?.open()
  if (!board) {
    const message = 'nothing can run in the background here'
    throw new FailureError({ code: 'unavailable', message, hint: 'Run it without `background`.' })
  }
  const { command: line, stdin, timeoutMs } = order
  const shell = await shellCommandOf(order, ctx)
  const command = {
    ...shell,
    sandbox: { ...shell.sandbox, lasts: true },
    input: stdin,
    timeoutMs: timeoutMs === usualTimeoutMs ? undefined : timeoutMs,
  }
  const job = board.start({ line, command, call: ctx.call.id, wakes })
  const then = wakes ? 'this conversation continues when it ends' : 'a note reports its end'
  const read = `read it with jobs {"action": "output", "job_id": "${job.id}"}`
  const text = `${job.id} is running in the background: ${read}; ${then}`
  return { text, data: job }
}

/**
 * Returns the text of one output stream with repeated lines shortened; for binary output, returns
 * only its size.
 */
function plainStream({ text, bytes }: CapturedOutput): string {
  return text.includes('\0') ? `[binary output, ${bytes} bytes]` : collapseRepeats(text).replace(/\n$/, '')
}

function labelStreams({ stdout, stderr }: CommandOutcome): string {
  const part = (name: string, text: string) => (text === '' ? [] : [`${name}:\n${text.replace(/\n$/, '')}`])
  return [...part('stdout', stdout.text), ...part('stderr', stderr.text)].join('\n')
}
