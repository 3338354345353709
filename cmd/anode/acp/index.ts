// `anode acp`: sessions for an editor that speaks the Agent Client Protocol, on standard input and output.
import { serveAcpToEditor } from '../../../internal/service/acp/acp-service.ts'
import { readAgentChoice, readApproval, runOptions } from '../flags.ts'
import { login } from '../login.ts'
import { type CommandArgs, type CommandIo, flagArg, listArg, toolsetOptions, type Verb } from '../verb.ts'

const { profile, model, approval, 'add-dir': addDir } = runOptions

export const acp = {
  name: 'acp',
  summary: 'Serve sessions to an editor, in the Agent Client Protocol on standard input and output',
  usage: 'acp [flags]',
  options: {
    profile,
    model,
    ...toolsetOptions,
    'add-dir': addDir,
    approval: { ...approval, default: 'auto' },
    login: { type: 'boolean', describe: 'Store a key as `anode login` does, and exit; editors start this' },
  },
  examples: [
    ['anode acp', 'As the command of an agent in the settings of the editor'],
    ['anode acp --profile review --approval ask', 'New sessions begin so; the editor can change it'],
  ],
  run: serveEditor,
} as Verb

async function serveEditor(args: CommandArgs, io: CommandIo): Promise<number> {
  const { cwd, env, signal } = io
  if (flagArg(args, 'login')) return login.run({}, io)
  const wishes = readAgentChoice(args)
  const mode = readApproval(String(args.approval))
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? '']
  await serveAcpToEditor(
    { cwd, env, signal, program, wishes: { ...wishes, mode }, addDirs: listArg(args, 'add-dir') },
    { input: io.stdin, output: io.stdout.stream },
  )
  return 0
}
