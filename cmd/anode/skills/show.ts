// `anode skills show`: the instructions of one skill, as the tool `skill` gives them.
import { UserError } from '../../../internal/base/errors.ts'
import { suggestion } from '../../../internal/base/nearest.ts'
import { skillsOf, surroundings } from '../../../internal/host/surroundings.ts'
import { drawPage } from '../prose.ts'
import { type Args, flag, type Io, str, type Verb } from '../verb.ts'

export const show: Verb = {
  name: 'skills show',
  summary: 'Show the instructions of a skill and the files it brings',
  usage: 'skills show NAME [flags]',
  positionals: [{ name: 'NAME', describe: 'Skill', required: true }],
  options: {
    input: { type: 'string', describe: 'What $INPUT stands for', value: 'TEXT' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode skills show code_review', 'What a model is told']],
  run: showSkill,
}

async function showSkill(args: Args, io: Io): Promise<number> {
  const skills = await skillsOf(await surroundings(io.cwd, io.env))
  const name = String(args.NAME)
  const loaded = await skills.load(name, str(args, 'input'))
  if (!loaded) {
    const known = (await skills.list()).map((skill) => skill.name)
    const hint = suggestion(name, known) || 'see `anode skills list`'
    throw new UserError(`there is no skill named ${name}`, { hint })
  }
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify({ name, ...loaded }, null, 2)}\n`)
  else
    io.stdout.write(
      await drawPage(
        `${loaded.text.trimEnd()}\n${loaded.files.map((file) => `\nfile ${file}\n`).join('')}${loaded.files.length > 0 ? '\n' : ''}`,
        io,
      ),
    )
  return 0
}
