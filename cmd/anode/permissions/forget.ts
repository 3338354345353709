// The command `anode permissions forget`, which deletes a stored answer "always".
import { realpathSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import {
  forgetStoredAnswer,
  listStoredAnswers,
} from '../../../internal/service/permissions/stored-answers.ts'
import { refuseAgents } from '../consent.ts'
import { deleteItems, deletionOptions } from '../io/deletion.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const forget: Verb = {
  name: 'permissions forget',
  summary: 'Remove an answer given as "always" in this workspace',
  usage: 'permissions forget ID [flags]',
  positionals: [{ name: 'ID', describe: 'Number from `anode permissions list`', required: true }],
  options: deletionOptions,
  examples: [['anode permissions forget 3', 'Ask again next time']],
  run: forgetAnswer,
}

async function forgetAnswer(args: CommandArgs, io: CommandIo): Promise<number> {
  refuseAgents(io)
  const id = String(args.ID)
  const answers = await listStoredAnswers(realpathSync(io.cwd), io.env)
  const answer = answers.find((one) => one.id === String(Number(id)))
  if (!answer)
    throw new UserError(`answer ${id} not found in this workspace`, { hint: 'see `anode permissions list`' })
  const about = `answer ${answer.id}: ${JSON.stringify(answer.rule)}`
  const items = [{ kind: 'answer', id: answer.id, about, done: `answer ${answer.id} forgotten` }]
  return deleteItems({ command: ['permissions', 'forget', id], items }, args, io, () =>
    forgetStoredAnswer(io.cwd, Number(id), io.env),
  )
}
