// The command `anode profiles show`, which prints one complete profile: settings, tool patterns, prompt.
import { findWorkspaceProfile, readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { drawPage, fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const show: Verb = {
  name: 'profiles show',
  summary: 'Show one profile: limits, tools and prompt',
  usage: 'profiles show NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Profile or alias', required: true }],
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode profiles show review', 'The prompt and the tools of a review']],
  run: showProfile,
}

async function showProfile(args: CommandArgs, io: CommandIo): Promise<number> {
  const profile = await findWorkspaceProfile(await readWorkspaceContext(io.cwd, io.env), String(args.NAME))
  if (flagArg(args, 'json')) {
    io.stdout.write(`${JSON.stringify(profile, null, 2)}\n`)
    return 0
  }
  const access = profile.readOnly ? ', read-only' : ''
  const head = [
    `${profile.name}  ${profile.about}`,
    `from ${profile.origin} (${profile.path})`,
    `turns ${profile.maxTurns}, effort ${profile.effort}${access}`,
    `tools ${profile.tools.join(' ')}`,
  ]
  io.stdout.write(fitLines(`${head.join('\n')}\n\n`, io))
  io.stdout.write(await drawPage(`${profile.prompt.trim()}\n`, io))
  return 0
}
