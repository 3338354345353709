// `anode permissions list`: the rules in force, with their origin, and the stored answers.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { policyOf } from '../../../internal/host/policy.ts'
import { surroundings } from '../../../internal/host/surroundings.ts'
import type { Rule } from '../../../internal/policy/rule.ts'
import { openStore } from '../../../internal/store/sqlite.ts'
import { fitLines } from '../prose.ts'
import { table } from '../table.ts'
import { type Args, flag, type Io, type Verb } from '../verb.ts'

export const list: Verb = {
  name: 'permissions list',
  summary: 'List the rules in force here and the answers given as "always"',
  usage: 'permissions list [flags]',
  options: { json: { type: 'boolean', describe: 'Print JSON' } },
  examples: [['anode permissions list', 'What is allowed, asked and denied here']],
  run: listRules,
}

async function listRules(args: Args, io: Io): Promise<number> {
  const around = await surroundings(io.cwd, io.env)
  const policy = policyOf({ mode: 'ask', addDirs: [], env: io.env }, around, undefined)
  const rows = [
    ...policy.rules.map((rule) => ({ id: '', rule })),
    ...(await storedAnswers(around.data, around.workspace)),
  ]
  if (flag(args, 'json')) {
    io.stdout.write(`${JSON.stringify({ preset: policy.preset ?? null, rules: rows }, null, 2)}\n`)
    return 0
  }
  if (policy.preset !== undefined) io.stdout.write(`preset ${policy.preset}\n`)
  if (rows.length === 0)
    io.stdout.write(fitLines('No rules; the table of levels decides. See `anode permissions explain`.\n', io))
  else {
    const cells = rows.map(({ id, rule }) => [id, rule.action, rule.tool, rule.origin ?? '', describe(rule)])
    io.stdout.write(await table(['answer', 'action', 'tool', 'from', 'when'], cells, io))
  }
  return 0
}

async function storedAnswers(data: string, workspace: string): Promise<{ id: string; rule: Rule }[]> {
  if (!existsSync(join(data, 'anode.db'))) return []
  const store = await openStore(data)
  try {
    return store.answers.list(workspace).map((answer) => ({
      id: String(answer.id),
      rule: { ...(answer.rule as unknown as Rule), origin: 'answer' },
    }))
  } finally {
    store.close()
  }
}

/** The conditions of a rule in one line. */
function describe({ tool: _, action: __, origin: ___, examples: ____, ...conditions }: Rule): string {
  return Object.entries(conditions)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ')
}
