// `anode permissions forget`: takes an "always" answer back.
import { UserError } from '../../../internal/base/errors.ts'
import { forgetStoredAnswer } from '../../../internal/service/permissions/stored-answers.ts'
import { refuseAgents } from '../consent.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const forget: Verb = {
  name: 'permissions forget',
  summary: 'Take back an answer given as "always" in this workspace',
  usage: 'permissions forget ID',
  positionals: [{ name: 'ID', describe: 'Number from `anode permissions list`', required: true }],
  options: {},
  examples: [['anode permissions forget 3', 'Ask again next time']],
  run: forgetAnswer,
}

async function forgetAnswer(args: CommandArgs, io: CommandIo): Promise<number> {
  refuseAgents(io)
  if (!(await forgetStoredAnswer(io.cwd, Number(args.ID), io.env))) {
    throw new UserError(`there is no answer ${args.ID} here`, { hint: 'see `anode permissions list`' })
  }
  io.stdout.write(`answer ${args.ID} forgotten\n`)
  return exitCodes.done
}
