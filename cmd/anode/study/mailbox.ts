// The command `anode study mailbox`, which prints the messages of a study or of one recipient, whether
// delivered, waiting or undeliverable.
import { withStudy, withStudyMailbox } from '../../../internal/service/study/known-studies.ts'
import { formatJson } from '../io/json.ts'
import { explainNoRows } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { formatTable } from '../io/table.ts'
import { flagArg, stringArg, type Verb } from '../verb.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const mailbox: Verb = {
  name: 'study mailbox',
  summary: 'Show the messages of a study and the state of each',
  usage: 'study mailbox [ID] [flags]',
  positionals: [studyPositional],
  options: {
    recipient: { type: 'string', describe: 'Only this mailbox', value: 'NAME' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode study mailbox last --recipient t2', 'The messages to one worker']],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (study) => {
      const recipient = stringArg(args, 'recipient')
      const filter = recipient === undefined ? {} : { recipient }
      const all = await withStudyMailbox(study, io.env, (mail, scope) => mail.list({ scope, ...filter }))
      if (flagArg(args, 'json')) await writeText(io.stdout, formatJson(all, 2))
      else if (all.length === 0) explainNoRows('No messages.', io)
      else {
        const rows = all.map(({ message, recipient, state, reason }) => [
          message.from,
          recipient,
          message.type,
          reason === null ? state : `${state} (${reason})`,
          message.body,
        ])
        await writeText(io.stdout, await formatTable(['from', 'to', 'type', 'state', 'message'], rows, io))
      }
      return 0
    }),
}
