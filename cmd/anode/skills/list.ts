// The command `anode skills list`, which prints every skill with its origin, and the problems
// of invalid skills.
import { openWorkspaceSkills, readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'skills list',
  summary: 'List the skills and where they come from',
  usage: 'skills list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode skills list', 'Built-in, own and workspace skills']],
  run: listSkills,
}

async function listSkills(args: CommandArgs, io: CommandIo): Promise<number> {
  const skills = await openWorkspaceSkills(await readWorkspaceContext(io.cwd, io.env))
  for (const { where, message } of (await skills.set()).diagnostics)
    io.stderr.write(`note: ${where}: ${message}\n`)
  const rows = await skills.list()
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else
    io.stdout.write(
      await formatTable(
        ['skill', 'from', 'what for'],
        rows.map((s) => [s.name, s.origin, s.description]),
        io,
      ),
    )
  return 0
}
