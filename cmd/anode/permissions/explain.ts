// The command `anode permissions explain`, which prints the decision on a call and the chain of reasons. The
// call does not run.
import { UserError } from '../../../internal/base/errors.ts'
import { suggestNames } from '../../../internal/base/text/name-suggestion.ts'
import { openDirectCalls } from '../../../internal/service/calls/direct-call.ts'
import { approvalChoices, readApproval } from '../flags.ts'
import { fitLines } from '../io/prose.ts'
import { gatherArguments, readArgumentFlags } from '../tools/arguments.ts'
import {
  type CommandArgs,
  type CommandIo,
  listArg,
  nameInSession,
  readSandbox,
  readToolset,
  sandboxOption,
  stringArg,
  toolsetOptions,
  type Verb,
} from '../verb.ts'

export const explain: Verb = {
  name: 'permissions explain',
  summary: 'Say how a call would be decided and why; exit 0 allow, 10 ask, 11 deny',
  usage: 'permissions explain TOOL [ARGUMENT] [flags]',
  positionals: [
    { name: 'TOOL', describe: 'Tool to be called', required: true },
    { name: 'ARGUMENT', describe: 'KEY=VALUE, or the value of the one that is required', many: true },
  ],
  takesExtra: true,
  options: {
    arg: { type: 'array', describe: 'One argument', value: 'KEY=VALUE' },
    'arg-json': { type: 'array', describe: 'One argument as JSON', value: 'KEY=JSON' },
    json: { type: 'string', describe: 'All arguments as a JSON object, @FILE or -', value: 'OBJECT' },
    profile: { type: 'string', describe: 'Under this profile', value: 'NAME' },
    ...toolsetOptions,
    approval: {
      type: 'string',
      describe: 'Under this mode',
      choices: approvalChoices,
      default: 'ask',
    },
    agent: {
      type: 'string',
      describe: 'For the main agent or a child',
      choices: ['thread', 'subagent'],
      default: 'thread',
    },
    sandbox: sandboxOption,
    'add-dir': { type: 'array', describe: 'Another directory that tools may use', value: 'DIR' },
    output: { type: 'string', describe: 'Print text or JSON', choices: ['text', 'json'], default: 'text' },
  },
  examples: [['anode permissions explain bash "git log"', 'Would it ask, and why']],
  run: explainCall,
}

const codes = { allow: 0, ask: 10, deny: 11 } as const

async function explainCall(args: CommandArgs, io: CommandIo): Promise<number> {
  const profile = stringArg(args, 'profile')
  const toolset = readToolset(args, String(args.TOOL))
  const mode = readApproval(String(args.approval))
  const session = await openDirectCalls({
    cwd: io.cwd,
    env: io.env,
    signal: io.signal,
    profile,
    toolset,
    mode,
    approval: 'none',
    addDirs: listArg(args, 'add-dir'),
    ...readSandbox(args),
    record: 'changes',
    terminal: undefined,
  })
  try {
    const name = nameInSession(String(args.TOOL))
    const entry = session.catalog.find(name)
    if (!entry)
      throw new UserError(`unknown tool "${name}"`, {
        hint: suggestNames(name, session.catalog.near(name)) || `see \`${session.catalog.listCommand}\``,
      })
    const callArgs = await gatherArguments(readArgumentFlags(args, explain), entry.schema, io)
    const agent = args.agent as 'thread' | 'subagent'
    const { decision, lines } = await session.explain(entry, callArgs, agent, name)
    const hidden = entry.hidden === undefined ? '' : `note: ${entry.name} is hidden here: ${entry.hidden}\n`
    if (args.output === 'json')
      io.stdout.write(`${JSON.stringify({ tool: entry.name, ...decision }, null, 2)}\n`)
    else io.stdout.write(fitLines(`${hidden}${lines.join('\n')}\n`, io))
    return codes[decision.action]
  } finally {
    await session.close()
  }
}
