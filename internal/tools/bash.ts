// The tool bash: one shell command in its own process group, from start to the end of its last descendant.
import { statSync } from 'node:fs'
import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import { withoutSecrets } from '../process/child-environment.ts'
import type { CommandOutcome } from '../process/process-command.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import type { ToolResult } from '../tool/result.ts'
import { defineTool } from '../tool/tool.ts'
import { locateExisting } from '../tool-support/path-location.ts'
import about from './bash.md'

const maxTimeoutMs = 1_800_000
/** Equal lines in a row that are still shown one by one. */
const maxRepeatsShown = 3

interface Data {
  exit: number | null
  signal: string | null
  timed_out: boolean
  cancelled: boolean
  duration_ms: number
  stdout_bytes: number
  stderr_bytes: number
  /** Output beyond 64 MiB was dropped. */
  cut: boolean
  /** Invalid UTF-8 was replaced. */
  invalid_utf8: boolean
  /** Processes that outlived the command and were ended. */
  leaked: number
}

export const bash = defineTool({
  name: 'bash',
  about,
  level: 'confirm_execute',
  input: z.object({
    command: field(z.string().check(z.minLength(1)), 'Shell command to run.'),
    cwd: field(
      z.optional(z.string()),
      'Directory to run it in, relative to the workspace; absent: the workspace root.',
    ),
    timeout_ms: field(z._default(z.int().check(z.minimum(1)), 30_000), 'Milliseconds it may take.', {
      cap: maxTimeoutMs,
    }),
  }),
  example: { command: 'npm test', timeout_ms: 60_000 },
  clip: { chars: 30_000, lines: 256, keep: 'ends' },
  scope: ({ command, cwd }) => [
    { kind: 'command', line: command, ...(cwd !== undefined && { cwd }) },
    ...(cwd === undefined ? [] : [{ kind: 'path' as const, path: cwd, access: 'read' as const }]),
  ],
  available: (ctx) => (ctx.can.run ? true : 'no processes may be started here'),
  async run({ command, cwd, timeout_ms }, ctx): Promise<ToolResult<Data>> {
    const dir = directory(cwd, ctx)
    const run = ctx.can.run as NonNullable<Ctx['can']['run']>
    const outcome = await run({
      file: 'bash',
      args: ['-c', command],
      cwd: dir,
      env: await environment(command, dir, ctx),
      timeoutMs: timeout_ms,
      signal: ctx.signal,
      whole: true,
    })
    return report(outcome, await outputOf(outcome), timeout_ms)
  },
})

/** A person's own shell environment; where git may read unasked, without what starts programs. */
async function environment(command: string, dir: string, ctx: Ctx): Promise<Record<string, string>> {
  const env = withoutSecrets(ctx.env, ctx.settings.shell.env)
  const { foldersOfGit } = await import('../policy/shell/git/hardened-lines.ts')
  const folders = await foldersOfGit(command, dir)
  if (!folders) return env
  const { harmlessGitEnvironment } = await import('../process/git/git-drivers.ts')
  const run = ctx.can.run as NonNullable<Ctx['can']['run']>
  const hardened = await harmlessGitEnvironment(run, folders, { signal: ctx.signal })
  const own = Object.entries(env).filter(([name]) => !leadsGit.test(name))
  // with CDPATH a `cd` would lead to folders that nobody judged
  return { ...Object.fromEntries(own), ...hardened, CDPATH: '' }
}

/** Variables that take git to another repository, or give it settings. */
const leadsGit = /^GIT_(?!CONFIG_(?:GLOBAL|NOSYSTEM)$)/

function directory(cwd: string | undefined, ctx: Ctx): string {
  if (cwd === undefined) return ctx.cwd
  const place = locateExisting(ctx, cwd)
  if (!statSync(place.real).isDirectory()) {
    throw new FailureError({ code: 'not_a_directory', message: `${place.shown} is not a directory` })
  }
  return place.real
}

/** All of the output, runs of equal lines shortened on the way, so that a flood stays out of memory. */
async function outputOf({ whole, combined }: CommandOutcome): Promise<string> {
  if (!whole) return collapseRepeats(combined.text)
  const lines = createRepeatCollapser()
  const out: string[] = []
  for await (const part of whole.text()) out.push(lines.push(part))
  whole.remove()
  return out.join('') + lines.finish()
}

function report(outcome: CommandOutcome, output: string, timeoutMs: number): ToolResult<Data> {
  const { exit, signal, ended, whole, stdout, stderr, leaked } = outcome
  const data: Data = {
    exit,
    signal,
    timed_out: ended === 'timeout',
    cancelled: ended === 'cancelled',
    duration_ms: Math.round(outcome.ms),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    cut: whole?.cut ?? false,
    invalid_utf8: stdout.invalid || stderr.invalid,
    leaked,
  }
  const notes: string[] = []
  if (leaked > 0)
    notes.push(
      `${leaked} background ${leaked === 1 ? 'process was' : 'processes were'} ended with the command`,
    )
  if (data.invalid_utf8) notes.push('bytes that are not UTF-8 were replaced')
  const describeEnd = (status: string) => ({
    text: output.replace(/\n$/, ''),
    closing: `[${[status, ...notes].join('; ')}]`,
    data,
  })
  if (ended === 'timeout') {
    const message = `the command timed out after ${timeoutMs} ms and was ended`
    const hint = 'give a larger timeout_ms, or do less at once'
    return { ...describeEnd(message), failed: { code: 'timeout', message, hint } }
  }
  if (ended === 'cancelled') {
    const message = 'the command was cancelled'
    return { ...describeEnd(message), failed: { code: 'cancelled', message } }
  }
  const status = signal === null ? `exit ${exit}` : `ended by ${signal}`
  if (exit === 0) return describeEnd(status)
  return {
    ...describeEnd(status),
    failed: { code: 'command_failed', message: `the command ended with ${status}` },
  }
}

/** More than three equal lines in a row become one with a count. */
export function collapseRepeats(text: string): string {
  const lines = createRepeatCollapser()
  return lines.push(text) + lines.finish()
}

/** The same for a text that comes in pieces: each push returns what is certain, the end the rest. */
export function createRepeatCollapser() {
  let rest = ''
  let line: string | undefined
  let count = 0
  const flush = () => {
    if (line === undefined) return ''
    const repeatNote = `… the same line ${count - 1} more times …\n`
    return count > maxRepeatsShown ? `${line}\n${repeatNote}` : `${line}\n`.repeat(count)
  }
  const take = (next: string) => {
    if (next === line) {
      count++
      return ''
    }
    const out = flush()
    line = next
    count = 1
    return out
  }
  return {
    push(part: string): string {
      // a line without an end only grows; taking it apart each time would cost its length squared
      const first = part.indexOf('\n')
      if (first === -1) {
        rest += part
        return ''
      }
      const lines = [rest + part.slice(0, first), ...part.slice(first + 1).split('\n')]
      rest = lines.pop() ?? ''
      return lines.map(take).join('')
    },
    /** The line that no line end followed stays without one. */
    finish(): string {
      return rest === '' ? flush() : (take(rest) + flush()).slice(0, -1)
    },
  }
}
