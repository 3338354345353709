// Remote approval through a program of the user: it reads the question as JSON and prints the answer.
import { FailureError } from '../base/errors.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { RelayTransport } from './question-relay.ts'
import { parseAnswer } from './relay-answer.ts'

const maxAnswerBytes = 64 << 10
const maxErrorChars = 300

/**
 * Creates a transport that starts the program in `cwd` for each question. After `maxMs`, or when its answer
 * is no longer needed, the program gets TERM, and KILL two seconds later.
 */
export function createProgramRelay(
  [file = '', ...args]: readonly string[],
  { run, cwd, maxMs }: { run: RunCommand; cwd: string; maxMs: number },
): RelayTransport {
  const running = new Set<Promise<unknown>>()
  const ask: RelayTransport['send'] = async (document, signal) => {
    const input = `${JSON.stringify(document)}\n`
    const {
      exit,
      signal: killer,
      ended: endReason,
      stdout,
      stderr,
    } = await run({ file, args, cwd, input, signal, keepBytes: maxAnswerBytes, timeoutMs: maxMs })
    if (endReason !== undefined)
      throw createFailure(endReason === 'timeout' ? 'it took too long' : 'it was ended')
    if (exit !== 0) {
      const words = stderr.text.trim().slice(-maxErrorChars)
      const how = exit === null ? `it was ended by ${killer}` : `it ended with exit code ${exit}`
      throw createFailure(words === '' ? how : `${how}: ${words}`)
    }
    if (stdout.cut) throw createFailure(`it printed more than ${maxAnswerBytes} bytes`)
    if (stdout.text.trim() === '') throw createFailure('it printed nothing')
    return parseAnswer(stdout.text)
  }
  return {
    name: 'the relay program',
    maxMs,
    send(document, signal) {
      const answer = ask(document, signal)
      const runEnd = answer.then(
        () => undefined,
        () => undefined,
      )
      running.add(runEnd)
      void runEnd.then(() => running.delete(runEnd))
      return answer
    },
    close: async () => void (await Promise.all(running)),
  }
}

const createFailure = (message: string) => new FailureError({ code: 'command_failed', message })
