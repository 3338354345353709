// The command `anode trust`, which shows the configuration and programs of a workspace, and trusts them or
// revokes the trust.

import { sanitizeText } from '../../internal/render/text/terminal-filter.ts'
import { openWorkspaceTrust, type WorkspaceTrust } from '../../internal/runtime/workspace/workspace-trust.ts'
import { describeUnconfined } from '../../internal/service/doctor/unconfined-commands.ts'
import { demandConsent } from './consent.ts'
import { confirmDeletion } from './io/deletion.ts'
import { fitLines } from './io/prose.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from './verb.ts'

export const trust: Verb = {
  name: 'trust',
  summary: 'Let this workspace bring configuration, profiles, skills and hooks; --status and --revoke',
  usage: 'trust [flags]',
  options: {
    status: { type: 'boolean', describe: 'Only say what it brings and whether it is trusted' },
    revoke: { type: 'boolean', describe: 'Take trust back' },
    yes: { type: 'boolean', describe: 'With --revoke: do not ask', alias: 'y' },
    json: { type: 'boolean', describe: 'Print JSON' },
  },
  examples: [['anode trust --status', 'Look before you trust']],
  run: runTrust,
}

/**
 * Shows the files of the workspace, asks the user for consent, and stores the digest of the files. Does
 * nothing if the workspace is trusted already. Throws UserError without consent.
 */
async function trustByUser(workspace: WorkspaceTrust, io: CommandIo): Promise<void> {
  const { root, pinFile } = workspace
  const before = workspace.read()
  if (before.state === 'trusted') return
  const none = before.files.length === 0
  const builds = 'Tests and builds of it then run without approval in mode auto.'
  io.stderr.write(
    none
      ? `${sanitizeText(root)} brings no configuration and no programs. ${builds}\n`
      : `${sanitizeText(root)} brings:\n`,
  )
  const marked = new Set(before.differs)
  for (const file of before.files)
    io.stderr.write(`  ${sanitizeText(file)}${marked.has(file) ? '  (changed)' : ''}\n`)
  if (before.files.some((file) => /(^|\/)(\.mcp\.json|mcp\.json|anode\.json)$/.test(file)))
    io.stderr.write(
      'Its MCP servers, plugins and language servers run in a sandbox: empty HOME, only the workspace, ' +
        'no network. To open more, set read, write or network in "sandbox" of the server.\n',
    )
  const unconfined = await readUnconfined(io)
  if (unconfined) io.stderr.write(`${unconfined}\n`)
  const instead = none
    ? 'run `anode trust` in a terminal'
    : `a script lists the digest that \`anode trust --status --json\` prints in ${pinFile}`
  const question = none ? 'Trust it?' : `All of it may start programs as you. ${builds} Trust it?`
  await demandConsent(question, instead, io)
  await workspace.grant(before.digest)
}

/**
 * Returns a warning if commands run without a sandbox, because it is off or does not work on this machine;
 * otherwise an empty text.
 */
async function readUnconfined({ cwd, env }: CommandIo): Promise<string> {
  return (await describeUnconfined(cwd, env)) ?? ''
}

async function revokeTrust(workspace: WorkspaceTrust, args: CommandArgs, io: CommandIo): Promise<void> {
  const items = [{ kind: 'trust', id: workspace.root, done: '' }]
  const question = 'Revoke it?'
  if (workspace.read().state === 'trusted')
    await confirmDeletion({ command: ['trust', '--revoke'], items, question }, args, io)
  workspace.revoke()
}

async function runTrust(args: CommandArgs, io: CommandIo): Promise<number> {
  const workspace = openWorkspaceTrust(io.cwd, io.env)
  if (flagArg(args, 'revoke')) await revokeTrust(workspace, args, io)
  else if (!flagArg(args, 'status')) await trustByUser(workspace, io)
  const state = workspace.read()
  if (flagArg(args, 'json')) io.stdout.write(`${JSON.stringify(state, null, 2)}\n`)
  else {
    io.stdout.write(`${sanitizeText(workspace.root)}: ${state.state}\n`)
    for (const file of state.files) io.stdout.write(`  ${sanitizeText(file)}\n`)
    const effect = state.state === 'trusted' ? 'its tests and builds' : 'once trusted, its tests and builds'
    const empty = `  it brings nothing; ${effect} run without approval in mode auto\n`
    if (state.files.length === 0) io.stdout.write(fitLines(empty, io))
    const unconfined = flagArg(args, 'revoke') ? '' : await readUnconfined(io)
    if (unconfined) io.stdout.write(fitLines(`  ${unconfined}\n`, io))
  }
  return 0
}
