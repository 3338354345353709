// The command `anode runs drop`, which removes the worktree and the branch of a run. With work that is not
// merged, it needs --force.
import { dropWorktreeRun, findWorktree } from '../../../internal/service/runs/worktree/worktree-runs.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const drop: Verb = {
  name: 'runs drop',
  summary: 'Remove the worktree of a run and its branch; the thread stays',
  usage: 'runs drop RUN [flags]',
  positionals: [{ name: 'RUN', describe: 'Id, unique prefix of one, or last', required: true }],
  options: {
    ...deletionOptions,
    force: { type: 'boolean', describe: 'Also where work in it is not merged' },
  },
  examples: [['anode runs drop last', 'After `anode runs merge`']],
  run: dropWorktree,
}

async function dropWorktree(args: CommandArgs, io: CommandIo): Promise<number> {
  const record = await findWorktree(String(args.RUN), io)
  const { thread } = record
  const force = flagArg(args, 'force')
  const items = [
    { kind: 'worktree', id: thread, about: `the worktree of ${thread}`, done: `${thread} dropped` },
  ]
  const command = ['runs', 'drop', thread, ...(force ? ['--force'] : [])]
  return deleteItems({ command, items, asks: 'terminal' }, args, io, async () => {
    const { lost } = await dropWorktreeRun(io.env, record, { force, signal: io.signal })
    if (lost !== undefined) io.stderr.write(`what was not merged: git show ${lost} (until git collects it)\n`)
  })
}
