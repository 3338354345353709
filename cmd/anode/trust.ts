// `anode trust`: says what a workspace brings along and lets it count, or takes that back.
import { realpathSync } from 'node:fs'
import { dataDir } from '../../internal/base/dirs.ts'
import { clean } from '../../internal/render/clean.ts'
import { grantTrust, revokeTrust, trustState } from '../../internal/trust/trust.ts'
import { type Args, flag, type Io, type Verb } from './verb.ts'

export const trust: Verb = {
  name: 'trust',
  summary: 'Let this workspace bring configuration, profiles, skills and hooks; --status and --revoke',
  usage: 'trust [flags]',
  options: {
    status: { type: 'boolean', describe: 'Only say what it brings and whether it is trusted' },
    revoke: { type: 'boolean', describe: 'Take trust back' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode trust --status', 'Look before you trust']],
  run: runTrust,
}

async function runTrust(args: Args, io: Io): Promise<number> {
  const root = realpathSync(io.cwd)
  const data = dataDir(io.env)
  if (flag(args, 'revoke')) await revokeTrust(root, data)
  else if (!flag(args, 'status')) await grantTrust(root, data)
  const state = await trustState(root, data)
  if (flag(args, 'json')) io.stdout.write(`${JSON.stringify(state, null, 2)}\n`)
  else {
    io.stdout.write(`${clean(root)}: ${state.state}\n`)
    for (const file of state.files) io.stdout.write(`  ${clean(file)}\n`)
    if (state.files.length === 0) io.stdout.write('  it brings nothing that needs trust\n')
  }
  return 0
}
