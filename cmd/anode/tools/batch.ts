// The command `anode tools batch`, which reads calls as JSON lines from standard input and prints results as
// JSON lines, in order.
import { type DirectCallSession, openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { unreadableCall } from '../../../internal/service/calls/unreadable-call.ts'
import type { CallResult } from '../../../internal/tool/invoke.ts'
import { exitCodes } from '../exit-codes.ts'
import { bufferOutput } from '../io/buffered-output.ts'
import { inputLines } from '../io/input-lines.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'
import { acknowledgeResult, directOptions, readDirectCall, resultJson } from './direct-call.ts'

export const batch: Verb = {
  name: 'tools batch',
  summary: 'Run many calls in one process: {"tool", "args", "id"?} per line in, one result per line out',
  usage: 'tools batch [flags]',
  options: directOptions,
  examples: [
    ['echo \'{"tool":"read","args":{"path":"README.md"}}\' | anode tools batch', 'One call, one result line'],
  ],
  run: runBatch,
}

const waiting =
  'reading calls, one JSON object a line such as {"tool":"read","args":{"path":"README.md"}}; Ctrl-D ends'

/**
 * Runs the calls. Returns exit code 0 if every call succeeded, 1 if any call failed. An invalid line counts
 * as a failed call.
 */
async function runBatch(args: CommandArgs, io: CommandIo): Promise<number> {
  const session = await openDirectCalls(readDirectCall(args, io))
  const out = bufferOutput(io.stdout)
  let bad = false
  try {
    for (const note of session.notes) io.stderr.write(`note: ${note}\n`)
    if (io.stdin.isTTY) io.stderr.write(`${waiting}\n`)
    for await (const line of inputLines(io.stdin)) {
      if (line.trim() === '') continue
      const { id, result } = await answerLine(session, line)
      bad ||= result.failed !== undefined
      await out.add(`${JSON.stringify({ id, ...resultJson(result) })}\n`)
      // A result is acknowledged only after it was printed, so the output is written first.
      if (result.settle) await out.flush()
      await acknowledgeResult(result)
      if (io.signal.aborted) break
    }
    await out.flush()
  } finally {
    await session.close()
  }
  return bad ? exitCodes.failed : exitCodes.done
}

async function answerLine(
  session: DirectCallSession,
  line: string,
): Promise<{ id: unknown; result: CallResult }> {
  const call = readCall(line)
  if (call.kind === 'unreadable') return { id: undefined, result: unreadableCall(call.why) }
  return { id: call.id, result: await session.call({ name: call.tool, args: call.args ?? {} }) }
}

type BatchLine =
  | { kind: 'call'; tool: string; args?: unknown; id?: unknown }
  | { kind: 'unreadable'; why: string }

function readCall(line: string): BatchLine {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'tool' in value && typeof value.tool === 'string') {
      return { ...(value as { tool: string }), kind: 'call' }
    }
    return { kind: 'unreadable', why: 'a line must be an object with "tool" and "args"' }
  } catch (error) {
    return { kind: 'unreadable', why: `a line is not JSON: ${(error as Error).message}` }
  }
}
