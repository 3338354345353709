// The flags of commands whose run is done only when a check passes.
import type { CommandOption } from './verb.ts'

export const untilOption: CommandOption = {
  type: 'array',
  describe: 'The run is done only when this command passes',
  value: 'CMD',
}

export const untilOptions: Readonly<Record<string, CommandOption>> = {
  until: untilOption,
  attempts: { type: 'number', describe: 'Give up after this many failed checks (default: 5)', value: 'N' },
  'until-timeout': { type: 'string', describe: 'Time for each run of a check (default: 10m)', value: 'D' },
  'until-seal': { type: 'array', describe: 'More files that may not change', value: 'GLOB' },
  'until-allow': {
    type: 'array',
    describe: 'Files that the task may change; the receipt lists them',
    value: 'GLOB',
  },
  'until-needs': { type: 'array', describe: 'Access for the check', value: 'network:HOST' },
  'until-red': { type: 'boolean', describe: 'Refuse to start if the check passes already' },
  'first-check': {
    type: 'boolean',
    describe: 'Run the check before the first request (the default; --no-first-check skips it)',
  },
}
