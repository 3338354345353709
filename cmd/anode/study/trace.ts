// `anode study trace`: the log of a study, entry by entry.
import { withStudy } from '../../../internal/host/study/studies.ts'
import { traceLine } from '../../../internal/study/show/trace.ts'
import { write } from '../io.ts'
import { json } from '../json.ts'
import { fitLines } from '../prose.ts'
import { flag, num, type Verb } from '../verb.ts'
import { nameOf, studyName } from './name.ts'

export const trace: Verb = {
  name: 'study trace',
  summary: 'Print the log of a study: everything that happened, in order',
  usage: 'study trace [ID] [flags]',
  positionals: [studyName],
  options: {
    after: { type: 'number', describe: 'Only entries with a higher number', value: 'SEQ' },
    json: { type: 'boolean', describe: 'Print the entries whole, one JSON object a line' },
    otel: { type: 'boolean', describe: 'Print OpenTelemetry spans (OTLP JSON) of the whole study' },
  },
  examples: [
    ['anode study trace last --after 40', 'What happened since entry 40'],
    [
      'anode study trace last --otel | curl -H "content-type: application/json" -d @- localhost:4318/v1/traces',
      'Send spans to a collector',
    ],
  ],
  run: (args, io) =>
    withStudy(nameOf(args), io, async (found) => {
      const lines = await found.lines()
      if (flag(args, 'otel')) {
        const { otel } = await import('../../../internal/study/show/otel.ts')
        await write(io.stdout, json(otel(lines, process.env.ANODE_VERSION ?? '')))
        return 0
      }
      const after = num(args, 'after') ?? 0
      const began = lines[0]?.ts ?? 0
      for (const line of lines) {
        if (line.seq <= after) continue
        await write(io.stdout, flag(args, 'json') ? json(line) : fitLines(`${traceLine(line, began)}\n`, io))
      }
      return 0
    }),
}
