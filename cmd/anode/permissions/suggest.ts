// `anode permissions suggest`: rules for calls that users approved repeatedly.

import { realpathSync } from 'node:fs'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import { withDataStore } from '../../../internal/runtime/workspace/data-store.ts'
import { suggestRules } from '../../../internal/service/permissions/suggested-rules.ts'
import { explainNoRows, fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { readSince } from '../usage/since.ts'
import { type CommandArgs, type CommandIo, flagArg, stringArg, type Verb } from '../verb.ts'

export const suggest: Verb = {
  name: 'permissions suggest',
  summary: 'Propose rules for calls that were approved here three times or more',
  usage: 'permissions suggest [flags]',
  options: {
    since: { type: 'string', describe: 'Only from then on: 7d, 12h or a day as 2026-11-01', value: 'WHEN' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode permissions suggest --since 30d', 'What a rule would have spared in the last month']],
  run: printSuggestions,
}

async function printSuggestions(args: CommandArgs, io: CommandIo): Promise<number> {
  const since = readSince(stringArg(args, 'since'), Date.now())
  const rules = await withDataStore(io.env, (store) => suggestRules(store, realpathSync(io.cwd), since))
  if (flagArg(args, 'json')) {
    await writeText(io.stdout, `${JSON.stringify({ rules }, null, 2)}\n`)
    return 0
  }
  if (rules.length === 0) {
    explainNoRows('Nothing to propose: no call was approved here three times.', io)
    return 0
  }
  for (const { rule, covers, approved, denied } of rules) {
    const refused = denied > 0 ? `; ${denied} more were not approved` : ''
    const asked = `It would have spared ${countNoun(approved, 'question')}${refused}.`
    await writeText(io.stdout, `${JSON.stringify(rule)}\n`)
    await writeText(io.stdout, `${fitLines(`It lets through: ${covers}. ${asked}\n`, io)}\n`)
  }
  const how = 'To take one over, copy it into `permissions` of your configuration.\n'
  await writeText(io.stdout, fitLines(how, io))
  return 0
}
