// The command `anode skills show`, which prints the instructions of one skill, as the tool
// `skill` returns them.
import { UserError } from '../../../internal/base/errors.ts'
import { suggestNames } from '../../../internal/base/text/name-suggestion.ts'
import { openWorkspaceSkills, readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { drawPage } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const show: Verb = {
  name: 'skills show',
  summary: 'Show the instructions of a skill and the files it brings',
  usage: 'skills show NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Skill', required: true }],
  options: {
    input: { type: 'string', describe: 'The text for $INPUT', value: 'TEXT' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode skills show code_review', 'The text that a model gets']],
  run: showSkill,
}

async function showSkill(args: CommandArgs, io: CommandIo): Promise<number> {
  const skills = await openWorkspaceSkills(await readWorkspaceContext(io.cwd, io.env))
  const name = String(args.NAME)
  const loaded = await skills.load(name, stringArg(args, 'input'))
  if (!loaded) {
    const skillNames = (await skills.list()).map((skill) => skill.name)
    const hint = suggestNames(name, skillNames) || 'see `anode skills list`'
    throw new UserError(`unknown skill "${name}"`, { hint })
  }
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify({ name, ...loaded }, null, 2)}\n`)
  else {
    const files = loaded.files.map((file) => `\nfile ${file}\n`).join('')
    const end = files === '' ? '' : '\n'
    io.stdout.write(await drawPage(`${loaded.text.trimEnd()}\n${files}${end}`, io))
  }
  return 0
}
