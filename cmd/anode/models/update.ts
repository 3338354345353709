// The command `anode models update`, with which a user fetches newer context windows and prices.

import { resolve } from 'node:path'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { updateModelCatalog } from '../../../internal/service/models/model-update.ts'
import { doneOptions, printDone } from '../io/done-line.ts'
import { fitLines } from '../io/prose.ts'
import { type CommandArgs, type CommandIo, stringArg, type Verb } from '../verb.ts'

export const update: Verb = {
  name: 'models update',
  summary: 'Fetch newer windows and prices of models',
  usage: 'models update [flags]',
  options: {
    from: {
      type: 'string',
      describe: 'Address or file of the list, instead of the published one',
      value: 'PLACE',
    },
    ...doneOptions,
  },
  examples: [
    ['anode models update', 'From the published list of genai-prices'],
    ['anode models update --from data.json', 'From a file, without a network'],
  ],
  run: runUpdate,
}

async function runUpdate(args: CommandArgs, io: CommandIo): Promise<number> {
  const from = stringArg(args, 'from')
  const place = from === undefined || /^https?:\/\//.test(from) ? from : resolve(io.cwd, from)
  const today = new Date().toISOString().slice(0, 10)
  const { models, date, dateBefore } = await updateModelCatalog(io.env, place, today)
  const text = `${countNoun(models, 'model')}, as of ${date} (before: ${dateBefore})\n`
  printDone(args, io, fitLines(text, io), { models, date, dateBefore })
  return 0
}
