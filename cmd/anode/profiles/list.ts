// The command `anode profiles list`, which prints every profile with its origin, and the problems
// of invalid profiles.
import { loadWorkspaceProfiles, readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'profiles list',
  summary: 'List the profiles with their limits and where they come from',
  usage: 'profiles list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode profiles list', 'Built-in, own and workspace profiles']],
  run: listProfiles,
}

async function listProfiles(args: CommandArgs, io: CommandIo): Promise<number> {
  const profiles = await loadWorkspaceProfiles(await readWorkspaceContext(io.cwd, io.env))
  for (const { where, message } of profiles.diagnostics) io.stderr.write(`note: ${where}: ${message}\n`)
  if (flagArg(args, 'json')) {
    io.stdout.write(
      `${JSON.stringify(
        profiles.all.map(({ prompt: _, ...profile }) => profile),
        null,
        2,
      )}\n`,
    )
    return 0
  }
  const rows = profiles.all.map((profile) => [
    profile.name === profiles.standard ? `${profile.name} (default)` : profile.name,
    profile.aliases.join(', '),
    String(profile.maxTurns),
    profile.readOnly ? 'read-only' : '',
    profile.origin,
    profile.about,
  ])
  io.stdout.write(await formatTable(['profile', 'aliases', 'turns', 'access', 'from', 'about'], rows, io))
  return 0
}
