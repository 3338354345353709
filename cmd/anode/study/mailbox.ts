// `anode study mailbox`: every message of a study, delivered, waiting or dead.
import { withMail, withStudy } from '../../../internal/host/study/studies.ts'
import { write } from '../io.ts'
import { json } from '../json.ts'
import { table } from '../table.ts'
import { flag, str, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'

export const mailbox: Verb = {
  name: 'study mailbox',
  summary: 'Show the messages of a study and what became of each',
  usage: 'study mailbox [ID] [flags]',
  positionals: [studyName],
  options: {
    recipient: { type: 'string', describe: 'Only this mailbox', value: 'NAME' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode study mailbox last --recipient t2', 'What was sent to one worker']],
  run: (args, io) =>
    withStudy(nameOf(args), io, async (found) => {
      const recipient = str(args, 'recipient')
      const wanted = recipient === undefined ? {} : { recipient }
      const all = await withMail(found, io.env, (mail, scope) => mail.list({ scope, ...wanted }))
      if (flag(args, 'json')) await write(io.stdout, json(all, 2))
      else if (all.length === 0) await write(io.stdout, 'No messages.\n')
      else {
        const rows = all.map(({ message, recipient, state, reason }) => [
          message.from,
          recipient,
          message.type,
          reason === null ? state : `${state} (${reason})`,
          message.body,
        ])
        await write(io.stdout, await table(['from', 'to', 'type', 'state', 'message'], rows, io))
      }
      return 0
    }),
}
