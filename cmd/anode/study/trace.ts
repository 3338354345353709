// The command `anode study trace`, which prints the log of a study, entry by entry or as OpenTelemetry spans.
import { withStudy } from '../../../internal/service/study/known-studies.ts'
import { exportSpans } from '../../../internal/study/progress/otel-spans.ts'
import { traceLine } from '../../../internal/study/progress/trace-line.ts'
import { readNumber } from '../flags.ts'
import { formatJson } from '../io/json.ts'
import { fitLines } from '../io/prose.ts'
import { writeText } from '../io/streams.ts'
import { flagArg, type Verb } from '../verb.ts'
import { readStudyName, studyPositional } from './study-name.ts'

export const trace: Verb = {
  name: 'study trace',
  summary: 'Print the log of a study: everything that happened, in order',
  usage: 'study trace [ID] [flags]',
  positionals: [studyPositional],
  options: {
    after: { type: 'number', describe: 'Only entries with a higher number', value: 'SEQ' },
    json: { type: 'boolean', describe: 'Print the entries whole, one JSON object a line' },
    otel: { type: 'boolean', describe: 'Print OpenTelemetry spans (OTLP JSON) of the whole study' },
  },
  examples: [
    ['anode study trace last --after 40', 'What happened since entry 40'],
    [
      'anode study trace last --otel | curl -H "content-type: application/json" -d @- ' +
        'localhost:4318/v1/traces',
      'Send spans to a collector',
    ],
  ],
  run: (args, io) =>
    withStudy(readStudyName(args), io, async (study) => {
      const lines = await study.lines()
      if (flagArg(args, 'otel')) {
        await writeText(io.stdout, formatJson(exportSpans(lines, process.env.ANODE_VERSION ?? '')))
        return 0
      }
      const after = readNumber(args, 'after', 0) ?? 0
      const began = lines[0]?.ts ?? 0
      for (const line of lines) {
        if (line.seq <= after) continue
        await writeText(
          io.stdout,
          flagArg(args, 'json') ? formatJson(line) : fitLines(`${traceLine(line, began)}\n`, io),
        )
      }
      return 0
    }),
}
