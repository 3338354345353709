// `anode runs drop`: removes the worktree of a run, and its branch.
import { dropWorktreeRun, findWorktree } from '../../../internal/service/runs/worktree/worktree-runs.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const drop: Verb = {
  name: 'runs drop',
  summary: 'Remove the worktree of a run and its branch; the thread stays',
  usage: 'runs drop RUN [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last', required: true }],
  options: { force: { type: 'boolean', describe: 'Also where work in it is not merged' } },
  examples: [['anode runs drop last', 'After `anode runs merge`']],
  run: dropWorktree,
}

async function dropWorktree(args: CommandArgs, io: CommandIo): Promise<number> {
  const record = await findWorktree(String(args.RUN), io)
  const { lost } = await dropWorktreeRun(io.env, record, { force: flagArg(args, 'force'), signal: io.signal })
  io.stdout.write(`${record.thread} dropped\n`)
  if (lost !== undefined) io.stderr.write(`what was not merged: git show ${lost} (until git collects it)\n`)
  return 0
}
