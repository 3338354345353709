// The command `anode config schema`, which prints the JSON Schema of the configuration file, for editors.
import { readConfigSchema } from '../../../internal/runtime/workspace/config-files.ts'
import type { CommandArgs, CommandIo, Verb } from '../verb.ts'

export const schema: Verb = {
  name: 'config schema',
  summary: 'Print the JSON Schema of the configuration file',
  usage: 'config schema [flags]',
  options: { json: { type: 'boolean', describe: 'The same: a schema is JSON' } },
  examples: [['anode config schema > anode.schema.json', 'For completion in an editor']],
  run: async (_: CommandArgs, io: CommandIo) => {
    io.stdout.write(`${JSON.stringify(await readConfigSchema(), null, 2)}\n`)
    return 0
  },
}
