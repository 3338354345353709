// The command `anode permissions list`, which prints the active rules with their origin, and
// the stored answers.
import { buildPolicy } from '../../../internal/runtime/session-policy.ts'
import { readWorkspaceContext } from '../../../internal/runtime/workspace/workspace.ts'
import { describeConditions } from '../../../internal/service/permissions/rule-conditions.ts'
import { listStoredAnswers } from '../../../internal/service/permissions/stored-answers.ts'
import { explainNoRows } from '../io/prose.ts'
import { formatTable } from '../io/table.ts'
import { type CommandArgs, type CommandIo, flagArg, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'permissions list',
  summary: 'List the rules in force here and the answers given as "always"',
  usage: 'permissions list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode permissions list', 'The calls that are allowed, asked about and denied here']],
  run: listRules,
}

async function listRules(args: CommandArgs, io: CommandIo): Promise<number> {
  const context = await readWorkspaceContext(io.cwd, io.env)
  const policy = buildPolicy({ mode: 'ask', addDirs: [], env: io.env }, context, undefined)
  const rows = [
    ...policy.rules.map((rule) => ({ id: '', rule })),
    ...(await listStoredAnswers(context.workspace, io.env)),
  ]
  if (flagArg(args, 'json')) {
    io.stdout.write(`${JSON.stringify({ preset: policy.preset ?? null, rules: rows }, null, 2)}\n`)
    return 0
  }
  if (policy.preset !== undefined) io.stdout.write(`preset ${policy.preset}\n`)
  if (rows.length === 0)
    explainNoRows(
      'No rules are set or kept: the level of a tool decides. `anode permissions explain TOOL` says how.',
      io,
    )
  else {
    const cells = rows.map(({ id, rule }) => [
      id,
      rule.action,
      rule.tool,
      rule.origin ?? '',
      describeConditions(rule),
    ])
    io.stdout.write(await formatTable(['answer', 'action', 'tool', 'from', 'when'], cells, io))
  }
  return 0
}
