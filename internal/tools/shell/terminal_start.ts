// The tool terminal_start: starts a shell on a separate terminal, which lasts from call to call.
import * as z from 'zod/mini'
import { quoteForShell } from '../../base/text/quoting/shell-word.ts'
import { field, filledText, wholeNumber } from '../../tool/field.ts'
import type { TerminalTable } from '../../tool/terminals.ts'
import { defineTool } from '../../tool/tool.ts'
import { commandSandbox } from '../../tool-support/command-sandbox.ts'
import { shellDirectory, shellEnvironment } from '../../tool-support/shell-command.ts'
import { showTerminal, terminalAvailable } from '../../tool-support/terminal/terminal-output.ts'
import about from './terminal_start.md'

const input = z.object({
  cwd: field(z.optional(filledText()), 'Directory to start in; default: the workspace'),
  shell: field(z._default(filledText(), 'bash'), 'Name or path of the shell'),
  rows: field(z._default(wholeNumber().check(z.lte(1_000)), 30), 'Height of the terminal in lines'),
  cols: field(z._default(wholeNumber().check(z.lte(1_000)), 120), 'Width of the terminal in columns'),
})

export const terminalStart = defineTool({
  name: 'terminal_start',
  about,
  offer: { optional: true },
  level: 'confirm_execute',
  input,
  example: { cwd: 'web' },
  access: ({ shell, cwd }) => ({
    scope: [
      { kind: 'command', line: quoteWord(shell), cwd, typed: { starts: true } },
      ...(cwd === undefined ? [] : [{ kind: 'path' as const, path: cwd, access: 'read' as const }]),
    ],
    sandboxed: true,
  }),
  available: terminalAvailable,
  async run({ cwd, shell, rows, cols }, ctx) {
    const dir = shellDirectory(cwd, ctx)
    const table = (await ctx.can.processes.terminals?.open()) as TerminalTable
    const sandbox = {
      ...(await commandSandbox({ ...ctx, call: { ...ctx.call, approved: false } })),
      // A running shell could keep the access that was granted for one call, so its sandbox allows only what
      // every command may do.
      revealed: [],
      opened: [],
      history: false,
      lasts: true,
    }
    const env = shellEnvironment(ctx)
    return showTerminal(await table.start({ shell, cwd: dir, env, sandbox, rows, columns: cols }))
  },
})

const quoteWord = (word: string) => (/^[\w./+@%-]+$/.test(word) ? word : quoteForShell(word))
