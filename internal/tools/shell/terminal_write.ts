// The tool terminal_write: types text into a terminal and shows the output.
import * as z from 'zod/mini'
import { FailureError } from '../../base/errors.ts'
import { field } from '../../tool/field.ts'
import { defineTool } from '../../tool/tool.ts'
import {
  findTerminal,
  isWholeCommand,
  judgeTerminalInput,
} from '../../tool-support/terminal/terminal-input.ts'
import {
  outputLimits,
  readTerminal,
  sessionId,
  terminalAvailable,
} from '../../tool-support/terminal/terminal-output.ts'
import about from './terminal_write.md'

const maxInputBytes = 64 * 1024
/** Largest number of bytes of a line that a terminal accepts. The system drops the rest of a longer line. */
const maxLineBytes = process.platform === 'darwin' ? 1_000 : 4_000

const input = z.object({
  session_id: sessionId,
  input: field(z.string(), 'Text to type'),
  append_newline: field(z._default(z.boolean(), true), 'false: do not press Enter after the text'),
  ...outputLimits,
})
type TerminalWriteArgs = z.output<typeof input>

/**
 * The judged scope of each call as JSON, by the arguments of the call. If the scope is different when the
 * call runs, the call is denied, unless the user has approved it.
 */
const judgedInputs = new WeakMap<TerminalWriteArgs, string>()

export const terminalWrite = defineTool({
  name: 'terminal_write',
  about,
  offer: { optional: true },
  level: 'confirm_execute',
  input,
  example: { session_id: 'term_1', input: 'npm run dev', yield_time_ms: 2_000 },
  clip: { chars: 210_000, lines: Number.POSITIVE_INFINITY, keep: 'ends' },
  access(args, ctx) {
    const scope = judgeTerminalInput(ctx, args.session_id, textOf(args))
    judgedInputs.set(args, JSON.stringify(scope))
    return { scope: [scope], sandboxed: true }
  },
  available: terminalAvailable,
  async validate(args, ctx) {
    const { state } = findTerminal(ctx, args.session_id)
    if (!state.alive) throw shellEndedError(args.session_id)
    const text = textOf(args)
    if (Buffer.byteLength(text) > maxInputBytes)
      throw tooLong(`\`input\` has more than ${maxInputBytes / 1_024} KiB`)
    if (text.split('\n').some((line) => Buffer.byteLength(line) > maxLineBytes))
      throw tooLong(`a line of \`input\` has more than ${maxLineBytes} bytes, which no terminal takes`)
  },
  async run(args, ctx) {
    const { session_id: id, yield_time_ms: ms, max_output_chars: maxChars } = args
    const { table, state } = findTerminal(ctx, id)
    if (!state.alive) throw shellEndedError(id)
    const now = JSON.stringify(judgeTerminalInput(ctx, id, textOf(args)))
    if (judgedInputs.get(args) !== now && !ctx.call.approved) {
      const message = 'another program, or the shell in another folder, reads the terminal by now'
      throw new FailureError({ code: 'denied', message, hint: 'Call again to have it judged anew.' })
    }
    await table.write(id, textOf(args), isWholeCommand)
    return readTerminal(ctx, id, { ms, maxChars })
  },
})

const textOf = ({ input: text, append_newline }: TerminalWriteArgs) => (append_newline ? `${text}\n` : text)

const shellEndedError = (id: string) =>
  new FailureError({ code: 'unavailable', message: `the shell of ${id} has ended`, hint: 'Read the rest.' })

const tooLong = (message: string) =>
  new FailureError({ code: 'too_large', message, hint: 'Write it to a file, and run that.' })
