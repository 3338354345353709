// The tool bash: one shell command in its own process group, from start to the end of its last descendant.
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { FailureError } from '../base/errors.ts'
import type { Outcome } from '../process/command.ts'
import { withoutSecrets } from '../process/environment.ts'
import type { Ctx } from '../tool/ctx.ts'
import { field } from '../tool/field.ts'
import { locate } from '../tool/locate.ts'
import { failed, type Result } from '../tool/result.ts'
import { tool } from '../tool/tool.ts'
import about from './bash.md'

const maxTimeoutMs = 1_800_000
/** Bytes of output held; what comes between beginning and end beyond that is counted only. */
const keepBytes = 16 * 1024 * 1024

interface Data {
  exit: number | null
  signal: string | null
  timed_out: boolean
  cancelled: boolean
  duration_ms: number
  stdout_bytes: number
  stderr_bytes: number
  /** Output beyond 16 MiB was dropped. */
  cut: boolean
  /** Invalid UTF-8 was replaced. */
  invalid_utf8: boolean
  /** Processes that outlived the command and were ended. */
  leaked: number
}

export const bash = tool({
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
  async run({ command, cwd, timeout_ms }, ctx): Promise<Result<Data | null>> {
    const blocked = blockedWord(command, ctx.settings.shell.blocked)
    if (blocked !== undefined) {
      return failed('denied', `${blocked} is blocked by the setting shell.blocked`, {
        hint: 'use another program',
      })
    }
    const dir = await directory(cwd, ctx)
    const run = ctx.can.run as NonNullable<Ctx['can']['run']>
    const outcome = await run({
      file: 'bash',
      args: ['-c', command],
      cwd: dir,
      env: withoutSecrets(ctx.env, ctx.settings.shell.env),
      timeoutMs: timeout_ms,
      signal: ctx.signal,
      keepBytes,
    })
    return report(outcome, timeout_ms)
  },
})

async function directory(cwd: string | undefined, ctx: Ctx): Promise<string> {
  if (cwd === undefined) return ctx.cwd
  const place = await locate(ctx, cwd, 'read')
  if (!('real' in place)) throw new FailureError(place)
  if (!place.exists) throw new FailureError({ code: 'not_found', message: `${place.shown} does not exist` })
  if (!statSync(place.real).isDirectory()) {
    throw new FailureError({ code: 'not_a_directory', message: `${place.shown} is not a directory` })
  }
  return place.real
}

/** A blocked program anywhere among the words; a plain look, the permission rules see through the rest. */
function blockedWord(command: string, blocked: readonly string[]): string | undefined {
  if (blocked.length === 0) return undefined
  const words = new Set(command.split(/[\s;&|()`"'<>]+/).map((word) => basename(word)))
  return blocked.find((name) => words.has(name))
}

function report(outcome: Outcome, timeoutMs: number): Result<Data> {
  const { exit, signal, ended, combined, stdout, stderr, leaked } = outcome
  const data: Data = {
    exit,
    signal,
    timed_out: ended === 'timeout',
    cancelled: ended === 'cancelled',
    duration_ms: Math.round(outcome.ms),
    stdout_bytes: stdout.bytes,
    stderr_bytes: stderr.bytes,
    cut: combined.cut,
    invalid_utf8: combined.invalid,
    leaked,
  }
  const output = collapse(combined.text)
  const notes: string[] = []
  if (leaked > 0)
    notes.push(
      `${leaked} background ${leaked === 1 ? 'process was' : 'processes were'} ended with the command`,
    )
  if (combined.invalid) notes.push('bytes that are not UTF-8 were replaced')
  const text = (status: string) =>
    [output.replace(/\n$/, ''), `[${[status, ...notes].join('; ')}]`].filter(Boolean).join('\n')
  if (ended === 'timeout') {
    const message = `the command was ended after ${timeoutMs} ms`
    return {
      text: text(message),
      data,
      failed: { code: 'timeout', message, hint: 'give a larger timeout_ms, or do less at once' },
    }
  }
  if (ended === 'cancelled') {
    const message = 'the command was cancelled'
    return { text: text(message), data, failed: { code: 'cancelled', message } }
  }
  const status = signal === null ? `exit ${exit}` : `ended by ${signal}`
  if (exit === 0) return { text: text(status), data }
  return {
    text: text(status),
    data,
    failed: { code: 'command_failed', message: `the command ended with ${status}` },
  }
}

/** More than three equal lines in a row become one with a count. */
export function collapse(text: string): string {
  const lines = text.split('\n')
  const out: string[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] as string
    let end = i + 1
    while (end < lines.length && lines[end] === line) end++
    if (end - i > 3) out.push(line, `… the same line ${end - i - 1} more times …`)
    else out.push(...lines.slice(i, end))
    i = end
  }
  return out.join('\n')
}
